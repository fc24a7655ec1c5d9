import * as v from 'valibot';

/** Logins, and names of organizations and teams: clients refuse names of fewer than 3 characters. */
export const Login = v.pipe(
  v.string(),
  v.regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]{1,38}[a-zA-Z0-9]$/, 'has to have 3 to 40 letters, digits, "-" or "_"'),
);
