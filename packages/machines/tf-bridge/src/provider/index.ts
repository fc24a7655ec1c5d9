export type { LaunchedProvider, Surroundings } from './connected-provider.js';
export { inputsOfObject } from './found-inputs.js';
export { parameterBytes, readParameter } from './package-parameter.js';
export type { PackageParameter } from './package-parameter.js';
export { outputsOf } from './stored-state.js';
export { BASE_PLUGIN, createBridge } from './terraform-bridge.js';
