/** Rules and calls of webhooks, for every process that sends them. For Node only. */
export { hookSignature, pauseAfter } from './hook-delivery/hook-rules.js';
export { isHookTarget } from './hook-delivery/hook-targets.js';
export { oneLine, sendMail } from './hook-delivery/mailer.js';
export { networksOf } from './hook-delivery/networks.js';
export { publicPoster } from './hook-delivery/public-poster.js';
export type { PostHook } from './hook-delivery/public-poster.js';
