import { EXIT, cairnError } from '@cairn/diagnostics';
import { AUDIT_FORMATS, allAuditEvents, auditHead, auditLine, verifyAudit } from '@cairn/state-server';
import type { Administration } from '@cairn/state-server';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import { administrationOf, withServiceStore } from '../flows/service-store.js';
import type { StoreFlags } from '../flows/service-store.js';
import { askSecret, needsAnswer, readStdin } from '../terminal/prompt.js';

type AccessFlags = StoreFlags | 'org';

/** Does work for an organization, and ends well. */
function administer(
  context: CommandContext,
  flags: Texts<AccessFlags>,
  work: (admin: Administration) => Promise<void>,
): Promise<number> {
  return withServiceStore(context, flags, async (store) => {
    await work(administrationOf(context, store, flags.org));
    return EXIT.ok;
  });
}

function writeRows({ stdout }: CommandContext, rows: readonly (readonly string[])[]): void {
  for (const row of rows) stdout.write(`${row.filter((cell) => cell !== '').join('  ')}\n`);
}

/** `serve org new` */
export const newOrganization: Command<Texts<StoreFlags | 'admin'>> = (
  { args: [name = ''], flags },
  context,
) =>
  administer(context, { ...flags, org: undefined }, async (admin) => {
    await admin.newOrganization(name, flags.admin);
    context.stderr.write(`Made organization ${name}\n`);
  });

/** `serve org ls` */
export const organizations: Command<Texts<StoreFlags>> = ({ flags }, context) =>
  administer(context, { ...flags, org: undefined }, async (admin) =>
    writeRows(
      context,
      (await admin.organizations()).map((name) => [name]),
    ),
  );

/** `serve user set` */
export const setUser: Command<
  Texts<AccessFlags> & Switches<'signIn'> & { readonly role: string | undefined }
> = ({ args: [login = ''], flags }, context) =>
  administer(context, flags, async (admin) => {
    const { role = 'reader' } = flags;
    await admin.setMember(login, role, flags.signIn);
    context.stderr.write(`${login} is a member with the role ${role}\n`);
  });

/** `serve user password` */
export const userPassword: Command<Texts<StoreFlags> & Switches<'remove'>> = async (
  { args: [login = ''], flags },
  context,
) => {
  const password = flags.remove ? undefined : await passwordOf(context, login);
  return administer(context, { ...flags, org: undefined }, async (admin) => {
    if (password === undefined) await admin.dropPassword(login);
    else await admin.setPassword(login, password);
    context.stderr.write(`${password === undefined ? 'Removed' : 'Set'} the password of ${login}\n`);
  });
};

/** Asks for a new password twice, or reads it from stdin. Fails with `CAIRN-USAGE`. */
async function passwordOf(context: CommandContext, login: string): Promise<string> {
  if (context.stdin.isTTY !== true) return readStdin(context);
  if (!context.terminal.interactive)
    throw needsAnswer(`cannot set the password of ${login}: none is given`, 'it on stdin');
  const given = await askSecret(context, `New password of ${login}`);
  const again = given === undefined ? undefined : await askSecret(context, 'The same again');
  if (given === undefined || again === undefined)
    throw cairnError('CAIRN-CANCELLED', 'interrupted while waiting for the password');
  if (given === again) return given;
  throw cairnError('CAIRN-USAGE', `cannot set the password of ${login}: the two texts are not the same`);
}

/** `serve user ls` */
export const users: Command<Texts<AccessFlags>> = ({ flags }, context) =>
  administer(context, flags, async (admin) =>
    writeRows(
      context,
      (await admin.members()).map(({ id, role }) => [role.padEnd(6), id]),
    ),
  );

/** `serve user rm` */
export const dropUser: Command<Texts<AccessFlags>> = ({ args: [login = ''], flags }, context) =>
  administer(context, flags, async (admin) => {
    await admin.dropMember(login);
    context.stderr.write(`Removed ${login} from the organization\n`);
  });

/** `serve team set` */
export const setTeam: Command<Texts<AccessFlags> & { readonly member: readonly string[] }> = (
  { args: [name = ''], flags },
  context,
) =>
  administer(context, flags, async (admin) => {
    await admin.setTeam(name, flags.member);
    context.stderr.write(`Members of team ${name}: ${flags.member.join(' ') || 'none'}\n`);
  });

/** `serve team ls` */
export const teams: Command<Texts<AccessFlags>> = ({ flags }, context) =>
  administer(context, flags, async (admin) =>
    writeRows(
      context,
      (await admin.teams()).map(({ id, members }) => [id, members.join(' ')]),
    ),
  );

/** `serve team rm` */
export const dropTeam: Command<Texts<AccessFlags>> = ({ args: [name = ''], flags }, context) =>
  administer(context, flags, async (admin) => {
    await admin.dropTeam(name);
    context.stderr.write(`Removed team ${name}\n`);
  });

/** `serve grant new`: prints the id of the grant alone on stdout. */
export const newGrant: Command<
  Texts<AccessFlags | 'stacks' | 'tag'> & { readonly role: string | undefined }
> = ({ args: [to = ''], flags }, context) =>
  administer(context, flags, async (admin) => {
    const { role = 'reader', stacks, tag } = flags;
    context.stdout.write(`${(await admin.newGrant({ to, role, stacks, tag })).id}\n`);
  });

/** `serve grant ls` */
export const grants: Command<Texts<AccessFlags>> = ({ flags }, context) =>
  administer(context, flags, async (admin) =>
    writeRows(
      context,
      (await admin.grants()).map(({ id, to, role, stacks = '', tag = '' }) => [
        ...[id, role.padEnd(6), to, stacks, tag === '' ? '' : `tag ${tag}`],
      ]),
    ),
  );

/** `serve grant rm` */
export const dropGrant: Command<Texts<AccessFlags>> = ({ args: [id = ''], flags }, context) =>
  administer(context, flags, async (admin) => {
    await admin.dropRecord('grants', id);
    context.stderr.write(`Removed grant ${id}\n`);
  });

/** `serve trust new`: prints the id of the trust alone on stdout. */
export const newTrust: Command<
  Texts<AccessFlags | 'issuer' | 'audience' | 'to'> & {
    readonly role: string | undefined;
    readonly minutes: number | undefined;
    readonly claim: readonly string[];
    readonly stacks: readonly string[];
  }
> = ({ args: [name = ''], flags }, context) =>
  administer(context, flags, async (admin) => {
    const { issuer, audience, role, minutes, to, stacks } = flags;
    if (issuer === undefined)
      throw cairnError('CAIRN-USAGE', 'cannot trust an issuer: none is given', {
        hint: 'Give its address with --issuer.',
      });
    const trust = { name, issuer, audience, role, minutes, to, claims: claimsOf(flags.claim) };
    const made = await admin.newTrust({ ...trust, ...(stacks.length > 0 && { stacks }) });
    context.stdout.write(`${made.id}\n`);
  });

function claimsOf(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)] as const;
      throw cairnError('CAIRN-USAGE', `cannot use the claim ${JSON.stringify(text)}: it has no pattern`, {
        hint: 'Give --claim NAME=PATTERN.',
      });
    }),
  );
}

/** `serve trust ls` */
export const trusts: Command<Texts<AccessFlags>> = ({ flags }, context) =>
  administer(context, flags, async (admin) =>
    writeRows(
      context,
      (await admin.trusts()).map(({ id, name, issuer, role, to, minutes, claims, stacks = [] }) => [
        ...[id, role.padEnd(6), name, issuer, to, `${minutes}m`, stacks.join(' ')],
        ...Object.entries(claims).map(([claim, pattern]) => `${claim}=${pattern}`),
      ]),
    ),
  );

/** `serve trust rm` */
export const dropTrust: Command<Texts<AccessFlags>> = ({ args: [id = ''], flags }, context) =>
  administer(context, flags, async (admin) => {
    await admin.dropRecord('trusts', id);
    context.stderr.write(`Removed trust ${id}\n`);
  });

/** `serve audit verify`: prints the newest row on stdout. A fault is an error. */
export const auditVerify: Command<Texts<StoreFlags | 'newest'>> = ({ flags }, context) =>
  withServiceStore(context, flags, async (store) => {
    const expected = flags.newest === undefined ? undefined : newestOf(flags.newest);
    const { seq, hash, fault, passed } = await verifyAudit(store, expected);
    const found = fault ?? (passed ? undefined : 'it does not contain the row that --newest names');
    if (found !== undefined)
      throw cairnError('CAIRN-STATE-CORRUPT', `the audit log is not as it was written: ${found}`, {
        hint: 'Compare it with a backup, and find out who can write to the store.',
      });
    context.stdout.write(`${seq}:${hash}\n`);
    return EXIT.ok;
  });

function newestOf(text: string): { readonly seq: number; readonly hash: string } {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash !== undefined) return { seq: Number(seq), hash };
  throw cairnError(
    'CAIRN-USAGE',
    `--newest takes what a verification has printed, not ${JSON.stringify(text)}`,
  );
}

/** `serve audit export`: writes every row on stdout. */
export const auditExport: Command<Texts<StoreFlags> & { readonly format: 'csv' | 'cef' | undefined }> = (
  { flags },
  context,
) =>
  withServiceStore(context, flags, async (store) => {
    const { format = AUDIT_FORMATS[0] } = flags;
    const { stdout } = context;
    stdout.write(auditHead(format));
    for await (const event of allAuditEvents(store)) stdout.write(auditLine(format, event));
    return EXIT.ok;
  });
