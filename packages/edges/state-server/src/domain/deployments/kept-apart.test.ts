import { refuseKeptApart } from './kept-apart.js';

test.each(['drift', 'up', 'timeToLive', 'backend', 'environment', 'pulls', 'stack', 'name'])(
  'cairn.%s is refused, and can be removed',
  (name) => {
    const why = new RegExp(`^cairn\\.${name}: has no effect in settings\\. [A-Z].*\\.$`);
    expect(() => refuseKeptApart({ cairn: { [name]: {} } })).toThrow(why);
    expect(() => refuseKeptApart({ cairn: { [name]: null } })).not.toThrow();
  },
);

test.each([{}, { cairn: null }, { cairn: { policy: {}, executor: {}, before: [] } }, { drift: {} }])(
  '%j has nothing of it',
  (settings) => expect(() => refuseKeptApart(settings)).not.toThrow(),
);
