/** Member of the environment of a past update in which the service says who asked for it. */
export const USER_OF_UPDATE = 'cairn.user';
