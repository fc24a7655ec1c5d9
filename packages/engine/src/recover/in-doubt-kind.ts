/** Kind of the tasks that find out what became of a step of an earlier operation. */
export const IN_DOUBT = 'in-doubt';
