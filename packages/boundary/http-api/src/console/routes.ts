import type { Route } from '../route.js';

const NONE = 0;
const SMALL = 1 << 20;
const PASSWORDS = 1 << 16;
const STACK = '/console/stacks/{org}/{project}/{stack}';

/** Routes of the console. What they answer has no value of a secret, and no ciphertext. */
export const CONSOLE_ROUTES = {
  consoleStart: { method: 'GET', path: '/console/start', needs: 'anyone', maxBody: NONE },
  consoleSignIn: { method: 'GET', path: '/console/login', needs: 'anyone', maxBody: NONE },
  consolePasswordSignIn: {
    method: 'POST',
    path: '/console/password-sign-in',
    needs: 'anyone',
    maxBody: PASSWORDS,
    audit: 'signed in with a password',
  },
  consoleChangePassword: {
    method: 'POST',
    path: '/console/password',
    needs: 'user',
    maxBody: PASSWORDS,
    audit: 'changed the own password',
  },
  consoleLink: {
    method: 'POST',
    path: '/console/links',
    needs: 'user',
    maxBody: SMALL,
    audit: 'made a link to the console',
  },
  consoleEnter: {
    method: 'POST',
    path: '/console/sessions',
    needs: 'anyone',
    maxBody: SMALL,
    audit: 'opened the console',
  },
  consoleSession: { method: 'GET', path: '/console/session', needs: 'user', maxBody: NONE },
  consoleLeave: {
    method: 'DELETE',
    path: '/console/session',
    needs: 'user',
    maxBody: NONE,
    audit: 'left the console',
  },
  consoleStacks: { method: 'GET', path: '/console/stacks', needs: 'user', maxBody: NONE },
  consoleStream: { method: 'GET', path: '/console/stream', needs: 'user', maxBody: NONE },
  consoleStack: { method: 'GET', path: STACK, needs: 'reader', permission: 'stack:read', maxBody: NONE },
  consoleResources: {
    method: 'GET',
    path: `${STACK}/resources`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleResource: {
    method: 'GET',
    path: `${STACK}/resource`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleResourceHistory: {
    method: 'GET',
    path: `${STACK}/resource/history`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleAccess: { method: 'GET', path: `${STACK}/access`, needs: 'admin', maxBody: NONE },
  consoleSettings: {
    method: 'GET',
    path: `${STACK}/settings`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  consoleCompare: {
    method: 'GET',
    path: `${STACK}/compare`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleChange: {
    method: 'GET',
    path: `${STACK}/changes/{number}`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  consolePreviews: {
    method: 'GET',
    path: `${STACK}/previews`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consolePreview: {
    method: 'GET',
    path: `${STACK}/previews/{update}`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleContinue: {
    method: 'POST',
    path: `${STACK}/changes/{number}/continue`,
    needs: 'writer',
    permission: 'stack:write',
    maxBody: SMALL,
    audit: 'continued an operation in the console',
  },
  consoleReveal: {
    method: 'POST',
    path: `${STACK}/reveal`,
    needs: 'writer',
    permission: 'stack:decrypt',
    maxBody: SMALL,
    audit: 'revealed a secret in the console',
    auditFirst: true,
  },
} as const satisfies Readonly<Record<string, Route>>;
