import { providerTypePackage } from '@cairn/addresses';
import { getProperty } from '@cairn/values';
import { withPackageRequest } from '../../providers/package-request.js';
import type { PackageRequest } from '../../providers/package-request.js';
import type { KnownPackages } from '../packages.js';
import type { NormalisePass } from './draft.js';

/**
 * Adds the package to the inputs of an explicit provider. The version option overrides the input. The program's
 * dependencies count only if neither version nor URL is given [PROV-1].
 */
export const providerResource: NormalisePass = ({ request, goal }, { packages }) => {
  const pkg = providerTypePackage(request.type);
  if (pkg === undefined || !request.custom) return undefined;
  const said = packages.said(pkg, request.package);
  const hasVersion = said.version !== '' || getProperty(goal.inputs, 'version') !== undefined;
  const wanted = hasVersion || said.downloadUrl !== '' ? said : completed(said, packages);
  return { goal: { inputs: withPackageRequest(goal.inputs, wanted, request.envVarMappings) } };
};

function completed(said: PackageRequest, packages: KnownPackages): PackageRequest {
  const required = packages.required(said.package);
  if (required === undefined) return said;
  return {
    ...required,
    checksums: Object.keys(said.checksums).length > 0 ? said.checksums : required.checksums,
  };
}
