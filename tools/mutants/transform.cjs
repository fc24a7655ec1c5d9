/**
 * Compiles as the tests do, but for one operator of one file that is turned around on the way: `CAIRN_MUTANT` is
 * {file, start, end, text}. The file itself stays as it is.
 */
const swc = require('@swc/jest');

const mutant = process.env.CAIRN_MUTANT === undefined ? undefined : JSON.parse(process.env.CAIRN_MUTANT);
const turned = (source, file) =>
  file === mutant?.file ? source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end) : source;

module.exports = {
  createTransformer(options) {
    const inner = swc.createTransformer(options);
    return {
      ...inner,
      process: (source, file, jest) => inner.process(turned(source, file), file, jest),
      getCacheKey: (source, file, ...rest) => inner.getCacheKey(turned(source, file), file, ...rest),
    };
  },
};
