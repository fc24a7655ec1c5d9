/** Returns the parts of a text between its commas, without the empty ones. */
function partsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns a member of a body, unless its text is empty. */
function given<K extends string>(key: K, text: string): Partial<Record<K, string>> {
  const value = text.trim();
  return value === '' ? {} : ({ [key]: value } as Record<K, string>);
}

/** Returns the request of a role. `permissions` are written with commas. */
export function roleRequest(name: string, description: string, permissions: string): object {
  return {
    ...{ name: name.trim(), description: description.trim() },
    details: { __type: 'PermissionDescriptorAllow', permissions: partsOf(permissions) },
  };
}

/** Returns the request of a grant. An empty pattern limits nothing. */
export function grantRequest(to: string, role: string, stacks: string, tag: string): object {
  return { to: to.trim(), role, ...given('stacks', stacks), ...given('tag', tag) };
}

/** Texts of the form for a trusted issuer. */
interface TrustTexts {
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
  /** Patterns such as `sub=repo:acme/*`, with commas. A claim without a pattern may have any text. */
  readonly claims: string;
  readonly to: string;
  readonly role: string;
  readonly stacks: string;
  readonly minutes: string;
}

/** Returns the request of a trust in an issuer. What is empty has the default of the service. */
export function trustRequest(texts: TrustTexts): object {
  const claims = partsOf(texts.claims).map((part) => {
    const [claim = '', ...pattern] = part.split('=');
    return [claim.trim(), pattern.length === 0 ? '*' : pattern.join('=').trim()];
  });
  const stacks = partsOf(texts.stacks);
  return {
    ...{ name: texts.name.trim(), issuer: texts.issuer.trim(), claims: Object.fromEntries(claims) as object },
    ...{ role: texts.role, ...given('audience', texts.audience), ...given('to', texts.to) },
    ...(stacks.length > 0 && { stacks }),
    ...(texts.minutes.trim() !== '' && { minutes: Number(texts.minutes) }),
  };
}
