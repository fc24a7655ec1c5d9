import { ALPHABET_NAMES } from '../model/naming.js';
import type { Alphabet, NamePart } from '../model/naming.js';
import type { OperationConfig, OperationIdentity } from '../model/request.js';

const LONGEST = 256;

/**
 * Returns the parts of a name pattern such as `${stack}-${name}-${hex(4)}` [REG-15]. Parts that depend on the stack are
 * filled in here. Calls `refuse` with the fault, as the end of a sentence.
 */
export function namePattern(
  pattern: string,
  config: OperationConfig,
  identity: OperationIdentity,
  refuse: (why: string) => never,
): readonly NamePart[] {
  const parts: NamePart[] = [];
  let from = 0;
  for (;;) {
    const open = pattern.indexOf('${', from);
    if (open > from || open < 0) {
      const text = pattern.slice(from, open < 0 ? undefined : open);
      if (text !== '') parts.push({ t: 'text', text });
    }
    if (open < 0) return parts;
    const close = pattern.indexOf('}', open);
    if (close < 0) return refuse(`has a \${ without its }: ${JSON.stringify(pattern.slice(open))}`);
    parts.push(expression(pattern.slice(open + 2, close).trim(), config, identity, refuse));
    from = close + 1;
  }
}

function expression(
  text: string,
  config: OperationConfig,
  identity: OperationIdentity,
  refuse: (why: string) => never,
): NamePart {
  switch (text) {
    case 'name':
      return { t: 'name' };
    case 'uuid':
      return { t: 'uuid' };
    case 'organization':
    case 'project':
    case 'stack':
      return { t: 'text', text: identity[text] };
    default:
      if (text.startsWith('config.'))
        return configPart(text.slice('config.'.length), config, identity, refuse);
      return randomPart(text, refuse);
  }
}

function randomPart(text: string, refuse: (why: string) => never): NamePart {
  const [, alphabet, count] = /^(\w+)\(\s*(\d+)\s*\)$/.exec(text) ?? [];
  if (alphabet === undefined || !ALPHABET_NAMES.includes(alphabet as Alphabet)) {
    const known = [
      'name',
      ...ALPHABET_NAMES.map((each) => `${each}(n)`),
      'uuid',
      'organization',
      'project',
      'stack',
    ];
    return refuse(`has the unknown expression \${${text}}; there are ${known.join(', ')} and config.key`);
  }
  const length = Number(count);
  if (length < 1 || length > LONGEST)
    return refuse(`asks for ${length} characters; it can be 1 to ${LONGEST}`);
  return { t: 'random', alphabet: alphabet as Alphabet, length };
}

/** Fills in a configuration value. Names are stored and shown in plain text, so a secret cannot be part of one. */
function configPart(
  key: string,
  { values, secretKeys }: OperationConfig,
  { project }: OperationIdentity,
  refuse: (why: string) => never,
): NamePart {
  const full = key.includes(':') ? key : `${project}:${key}`;
  const text = Object.hasOwn(values, full) ? values[full] : undefined;
  if (text === undefined) return refuse(`needs the configuration value ${full}, which is not set`);
  if (secretKeys.includes(full)) return refuse(`needs the configuration value ${full}, which is a secret`);
  return { t: 'text', text };
}
