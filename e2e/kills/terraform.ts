import { LOG } from './log.js';

/** The line that makes a package of the Terraform provider. */
export const ADD_TERRAFORM = 'cairn package add terraform-provider ./things/terraform-provider-things';

/** A provider of Terraform's protocol, in a process of its own, whose effects are in the log. */
const PROVIDER = `#!/usr/bin/env node
const fs = require('node:fs');
const path = require('node:path');
const project = path.dirname(__dirname);
const at = (file) => path.join(project, file);
${LOG}
const objectOf = ({ name, version }) => name + '-' + version;
const stateOf = (id, record) => {
  const value = valueOf(id);
  if (value === undefined) return null;
  const cut = id.lastIndexOf('-');
  return record([['id', id], ['name', id.slice(0, cut)], ['value', value], ['version', Number(id.slice(cut + 1))]]);
};
const main = async () => {
  const { ScriptedTerraformProvider, serveProvider } = await import('@cairn/testkit/terraform');
  const { record } = await import('@cairn/tfplugin');
  const schema = { id: ['C', 'string'], name: ['R', 'string'], value: ['R', 'number'], version: ['R', 'number'] };
  const resources = { things_thing: { replaceOn: ['name', 'version'], schema } };
  const code = {
    applyResourceChange: async ({ priorState, plannedState }) => {
      const is = plannedState ?? priorState;
      const what = plannedState === null ? 'delete' : priorState === null ? 'create' : 'update';
      await effect(what, objectOf(is), is.value);
      const { name, value, version } = is;
      const made = record([['id', objectOf(is)], ['name', name], ['value', value], ['version', version]]);
      return { newState: plannedState === null ? null : made };
    },
    readResource: async ({ currentState: { id } }) => {
      await point('before', 'read ' + id);
      const newState = stateOf(id, record);
      await point('after', 'read ' + id);
      return { newState };
    },
    importResourceState: async ({ id, typeName }) => {
      const state = stateOf(id, record);
      return state === null ? { diagnostics: [{ summary: 'there is none' }] } : { importedResources: [{ typeName, state }] };
    },
  };
  await serveProvider({}, (options, crash) => new ScriptedTerraformProvider({ ...options, resources, code }, crash));
};
main();
`;

/** The files of the provider. It has to be made executable. */
export const TERRAFORM_FILES = {
  'things/package.json': '{ "type": "commonjs" }',
  'things/terraform-provider-things': PROVIDER,
};
