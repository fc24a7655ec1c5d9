import type { BackendOrigin } from '@cairn/workspace';

/** Descriptions of the sources of a backend choice [CFG-13]. */
export const BACKEND_ORIGINS: Readonly<Record<BackendOrigin, string>> = {
  flag: 'the flag --backend-url',
  environment: 'the environment (CAIRN_BACKEND_URL or PULUMI_BACKEND_URL)',
  project: 'the project file (backend.url)',
  login: 'the login (cairn login)',
  'pulumi-login': "Pulumi's login in ~/.pulumi, since Cairn has none",
  default: 'nothing else: it is the default',
};
