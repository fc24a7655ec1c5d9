import { LEVEL_1 } from '../conformance/level-1.js';
import { LEVEL_2 } from '../conformance/level-2.js';
import { LEVEL_2_COMPONENTS } from '../conformance/level-2-components.js';
import { LEVEL_3 } from '../conformance/level-3.js';
import { SDKS, runCase } from '../conformance/run-case.js';

/**
 * Requirements on every language of a Pulumi engine, as programs in TypeScript. Each runs on our SDK and on Pulumi's,
 * under our command.
 */

describe.each(SDKS)('%s', (sdk) => {
  test.each(
    [...LEVEL_1, ...LEVEL_2, ...LEVEL_2_COMPONENTS, ...LEVEL_3]
      .filter((each) => (each.sdk ?? sdk) === sdk)
      .map((each) => [each.id, each] as const),
  )('%s', (_, each) => runCase(each, sdk));
});
