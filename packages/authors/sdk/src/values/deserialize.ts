import { UNKNOWN, isUnknown, kindOf } from '@cairn/values';
import type {
  ByteString,
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyValue,
  ResourceReference,
  Secret,
} from '@cairn/values';

/** A value as the program sees it, and whether any part of it is secret. */
interface ProgramValue {
  readonly value: unknown;
  readonly secret: boolean;
}

/** Returns the value that a program gets for a reference to a resource. */
type ReferenceReader = (reference: ResourceReference) => unknown;

interface Seen {
  secret: boolean;
  readonly referenced: ReferenceReader;
}

/**
 * Turns a property value into a value for programs: secrets inside are lifted to the whole, references become results
 * of `referenced`. Unknowns remain marked, and bytes become a `Uint8Array`.
 */
// [VAL-4]
export function deserialize(value: PropertyValue, referenced: ReferenceReader = idOrUrn): ProgramValue {
  const seen = { secret: false, referenced };
  return { value: walk(value, seen), secret: seen.secret };
}

/** Returns the id of a resource, or the URN if there is none. */
function idOrUrn({ id, urn }: ResourceReference): unknown {
  if (isUnknown(id as PropertyValue | undefined)) return UNKNOWN;
  return id ?? urn;
}

function walk(value: PropertyValue, seen: Seen): unknown {
  const kind = kindOf(value);
  switch (kind) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
    case 'asset':
    case 'archive':
      return value;
    case 'unknown':
      return UNKNOWN;
    case 'array':
      return (value as PropertyArray).map((item) => walk(item, seen));
    case 'object': {
      const source = value as PropertyMap;
      return Object.fromEntries(
        Object.keys(source).map((key) => [key, walk(source[key] as PropertyValue, seen)]),
      );
    }
    case 'secret':
      seen.secret = true;
      return walk((value as Secret).value, seen);
    case 'output': {
      const output = value as OutputValue;
      seen.secret ||= output.secret;
      return output.value === undefined ? UNKNOWN : walk(output.value, seen);
    }
    case 'reference':
      return seen.referenced(value as ResourceReference);
    case 'bytes':
      return (value as ByteString).bytes;
    default:
      return kind satisfies never;
  }
}
