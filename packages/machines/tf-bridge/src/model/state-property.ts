/** Output of resources in which the state of the object in Terraform's terms is kept; displays leave it out. */
export const STATE_PROPERTY = '__terraform';
