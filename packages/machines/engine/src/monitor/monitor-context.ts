import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { DeploymentContext } from '@cairn/wire';
import type { PostRegistration } from '../model/registration.js';
import type { OperationIdentity } from '../model/request.js';
import type { DefaultProviders } from '../providers/defaults.js';
import type { ProviderSource } from '../providers/provider-source.js';
import type { RegistrationIntake } from './intake.js';
import type { NamingSettings } from './naming-settings.js';
import type { KnownPackages } from './packages.js';
import type { ProjectSources } from './project-sources.js';
import type { RegisteredResources } from './resources.js';
import type { Transforms } from './transforms/registry.js';

/** Context of the monitor of one operation. */
export interface MonitorContext {
  readonly identity: OperationIdentity;
  readonly stackUrn: Urn;
  readonly preview: boolean;
  /** True if the program runs to bring resources to their goals, not for a refresh or a destroy. */
  readonly appliesGoals: boolean;
  /** Directory that relative paths of assets start from. */
  readonly programDirectory: string;
  readonly sources: ProjectSources;
  readonly resources: RegisteredResources;
  readonly packages: KnownPackages;
  readonly providers: ProviderSource;
  readonly defaults: DefaultProviders;
  readonly naming: NamingSettings;
  readonly transforms: Transforms;
  readonly post: PostRegistration;
  /** Holds registrations back; `undefined` if none are held back. */
  readonly intake: RegistrationIntake | undefined;
  /** Runs a question to a provider and reports its duration to the operation. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reports something to the user, without consequences. */
  readonly tell: (diagnostic: Diagnostic) => void;
  /** Returns the settings for constructors and methods. */
  readonly constructContext: () => DeploymentContext;
}
