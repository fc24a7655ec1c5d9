/** Handshake between a host and a provider. */
export { COOKIE } from './cookie.js';
export { answeredVersion, printHandshakeLine, readHandshakeLine } from './handshake-line.js';
export type { Handshake } from './handshake-line.js';
export { HOST_VARIABLES, readHostOffer } from './host-offer.js';
export type { HostOffer } from './host-offer.js';
export { printReattach, readReattach } from './reattach.js';
export type { AttachedProvider } from './reattach.js';
