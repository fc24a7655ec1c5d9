export { parameterBytes, readParameter } from './package-parameter.js';
export { createBridge } from './terraform-bridge.js';
