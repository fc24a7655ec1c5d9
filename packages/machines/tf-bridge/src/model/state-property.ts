/** Output of resources that stores the object's state in Terraform's terms. Displays omit it. */
export const STATE_PROPERTY = '__terraform';
