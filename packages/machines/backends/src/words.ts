/** Words for changes and schedules, which the terminal and the console both use. Without a backend. */
export { CHANGE_VERBS, CONTINUED, CONTINUING, RESULT_PHRASES, statusWord } from './model/change-words.js';
export { KIND_OF_UPDATE } from './model/operation-kind.js';
export { scheduleAction, scheduleTimes } from './model/schedule-words.js';
