// fast-check with one seed for every property, so that a run of the tests is the same twice. CAIRN_PROPERTY_SEED
// chooses another; a failure names the seed that it had. Jest gives this to tests that import `fast-check`.
const path = require('node:path');

const installed = path.dirname(require.resolve('fast-check/package.json'));
const fastCheck = require(path.join(installed, 'lib', 'cjs', 'fast-check.js'));

const text = process.env.CAIRN_PROPERTY_SEED ?? '1';
const seed = Number(text);
if (!Number.isInteger(seed)) throw new Error(`CAIRN_PROPERTY_SEED must be a whole number, not "${text}"`);
fastCheck.configureGlobal({ ...fastCheck.readConfigureGlobal(), seed });

module.exports = fastCheck;
