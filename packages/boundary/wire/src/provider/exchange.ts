import type { PropertyMap } from '@cairn/values';
import type { Capabilities } from '../contracts/provider.js';
import { InitFailedError, ProviderError, isInitFailed } from '../contracts/provider-errors.js';
import { isStatusError } from '../contracts/status.js';
import { encodeStruct, isWireValueError } from '../values/index.js';
import type { EncodeOptions } from '../values/index.js';
import { providerErrorOf } from './errors.js';
import { annotateSecrets } from './secrets.js';

const NOTHING: Capabilities = {
  acceptSecrets: false,
  acceptResources: false,
  acceptOutputs: false,
  supportsPreview: false,
  supportsAutonaming: false,
  acceptByteStrings: false,
};

/**
 * Exchange with one provider. Values are sent in the forms that its capabilities allow. Values that were sent without
 * marks are marked secret in answers. Failures become Cairn's own errors [PROV-12] [PROV-11] [PROV-16].
 */
export class ProviderExchange {
  /** Capabilities that the provider has declared; none until then. */
  capabilities = NOTHING;

  /** Encoding options of values for constructors of components. */
  get outputValues(): EncodeOptions {
    return { keepOutputValues: this.capabilities.acceptOutputs };
  }

  /** Encoding options of values for methods. */
  get outputValuesOfCalls(): EncodeOptions {
    const { acceptOutputs, acceptOutputsInCall } = this.capabilities;
    return { keepOutputValues: acceptOutputs || acceptOutputsInCall === true };
  }

  /** Encodes a map as this provider understands it. Fails with INVALID_ARGUMENT before anything has happened. */
  encode(map: PropertyMap, options: EncodeOptions): Uint8Array {
    const { acceptSecrets, acceptResources, acceptByteStrings } = this.capabilities;
    try {
      return encodeStruct(map, {
        keepSecrets: acceptSecrets,
        keepResources: acceptResources,
        keepByteStrings: acceptByteStrings === true,
        ...options,
      });
    } catch (error) {
      if (!isWireValueError(error)) throw error;
      throw new ProviderError('INVALID_ARGUMENT', `cannot send this to the provider: ${error.message}`, {
        cause: error,
      });
    }
  }

  /** Marks values as secret again that had to be sent without marks. */
  annotate(result: PropertyMap, inputs: PropertyMap): PropertyMap {
    return this.capabilities.acceptSecrets ? result : annotateSecrets(result, inputs);
  }

  async request<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      throw providerErrorOf(error);
    }
  }

  /** {@link request} for a method that older providers need not have. */
  async tryCall<T>(send: () => Promise<T>): Promise<T | undefined> {
    try {
      return await send();
    } catch (error) {
      if (isStatusError(error, 'UNIMPLEMENTED')) return undefined;
      throw providerErrorOf(error);
    }
  }

  /** {@link request} for a call whose error may contain the state of the object. */
  async callFor<T>(inputs: PropertyMap, send: () => Promise<T>): Promise<T> {
    try {
      return await this.request(send);
    } catch (error) {
      if (!isInitFailed(error) || this.capabilities.acceptSecrets) throw error;
      throw new InitFailedError(
        error.id,
        annotateSecrets(error.outputs, inputs),
        error.inputs === undefined ? undefined : annotateSecrets(error.inputs, inputs),
        error.reasons,
        error.refreshBeforeUpdate,
        error.message,
      );
    }
  }

  decoded<T>(decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      throw providerErrorOf(error);
    }
  }
}
