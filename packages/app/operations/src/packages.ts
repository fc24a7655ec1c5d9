/** Plugins, packages and a project's needs of both, without a terminal. */
export type { Making, WrittenPackage } from './making.js';
export { dependenciesAreThere } from './plugins/dependencies-there.js';
export { installAll } from './plugins/install-all.js';
export { installDependencies } from './plugins/install-dependencies.js';
export { installPackage, preparePlugin } from './plugins/prepare-plugin.js';
export { projectPlugins } from './plugins/project-plugins.js';
export { addPackage } from './packages/add-package.js';
export { generateSdks } from './packages/generate-sdks.js';
export {
  askPackage,
  checkedModel,
  obtainSchema,
  problemText,
  projectIfAny,
  schemaError,
} from './packages/obtain-schema.js';
export type { NamedPackage } from './packages/obtain-schema.js';
export { packageOrigin } from './packages/package-origin.js';
export { packageUser } from './packages/package-user.js';
export { referencesOf } from './packages/references.js';
export { writePackage } from './packages/write-package.js';
export { installLocked, installProject } from './projects/install-project.js';
