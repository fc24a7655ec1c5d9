/** Exit codes of the command line [CLI-10]. */
export const EXIT = {
  ok: 0,
  general: 1,
  usage: 2,
  confirmation: 2,
  authentication: 3,
  resource: 4,
  policy: 5,
  stackNotFound: 6,
  noStackChosen: 6,
  unexpectedChanges: 7,
  cancelled: 8,
  timeout: 9,
  waiting: 10,
  rolledBack: 11,
  conflict: 12,
  internal: 255,
} as const;

/** Name of an exit code. */
type ExitName = keyof typeof EXIT;

/** Smaller set of codes that scripts written for Pulumi expect. Exits that they do not know keep their own code. */
const FEWER: Readonly<Record<ExitName, number>> = {
  ...EXIT,
  usage: EXIT.general,
  authentication: EXIT.general,
  resource: EXIT.general,
  policy: EXIT.general,
  noStackChosen: EXIT.general,
  cancelled: EXIT.general,
  timeout: EXIT.general,
  conflict: EXIT.general,
};

/** Detail of exit codes: the set of Pulumi, or a code for each kind of failure [CLI-10]. */
export type ExitDetail = 'as-pulumi' | 'fine';

/** Returns the exit status of a process whose command ended with a code of {@link EXIT}. */
export function exitStatus(code: number, detail: ExitDetail): number {
  if (detail === 'fine') return code;
  const name = (Object.keys(EXIT) as ExitName[]).find((each) => EXIT[each] === code);
  return name === undefined ? code : FEWER[name];
}

/** Returns the exit status of a process that ended with an error of this code. */
export function exitStatusFor(code: string, detail: ExitDetail): number {
  if (!Object.hasOwn(codes, code)) return EXIT.general;
  const name = codes[code as ErrorCode].exit;
  return detail === 'fine' ? EXIT[name] : FEWER[name];
}

/** Meaning of a code: the exit code it leads to, its cause, and the next step for the user. */
interface CodeRow {
  readonly exit: ExitName;
  readonly cause: string;
  readonly next: string;
}

/**
 * Every code a user can meet. Codes are stable: scripts and the documentation refer to them. One row a code; keep rows
 * grouped by the area that raises them. `docs/errors.md` is made from it: `node tools/error-reference.mjs`.
 */
export const codes = {
  // invocation
  'CAIRN-USAGE': {
    exit: 'usage',
    cause: 'A command, flag or argument is not in the table, or flags contradict each other.',
    next: 'Read `cairn COMMAND --help`; the message names the nearest match.',
  },
  'CAIRN-NOT-OFFERED': {
    exit: 'usage',
    cause: 'The command or flag is one of Pulumi or Terraform, and Cairn does not have it.',
    next: 'Do what the message names in its place, or leave the flag out.',
  },
  'CAIRN-NEEDS-CONFIRMATION': {
    exit: 'confirmation',
    cause: 'A question had to be answered, and there is no terminal to ask at.',
    next: 'Give the flag that the message names, such as `--yes`.',
  },
  'CAIRN-ALIAS': {
    exit: 'usage',
    cause:
      'An executable that Cairn has not written has the name that `cairn alias` writes, or the Cairn behind an alias is gone.',
    next: 'Name another directory, or write it again with `cairn alias --force DIRECTORY`.',
  },
  'CAIRN-EVENT-LOG': {
    exit: 'usage',
    cause: 'The file or listener of `--event-log` cannot be written to.',
    next: 'Name a file that can be written, or start the listener first.',
  },
  // project, stack and config files
  'CAIRN-PROJECT-MISSING': {
    exit: 'usage',
    cause: 'No project file lies in this directory or above it.',
    next: 'Change into a project, give `-C DIRECTORY`, or make one with `cairn new`.',
  },
  'CAIRN-PROJECT-INVALID': {
    exit: 'usage',
    cause: 'The project file breaks its format.',
    next: 'Correct the lines that the message names.',
  },
  'CAIRN-CONFIG-INVALID': {
    exit: 'usage',
    cause: 'A key or value of the configuration, or a stack file, breaks its format or its declared type.',
    next: 'Correct it with `cairn config set`, or in the file at the line that is named.',
  },
  'CAIRN-CONFIG-MISSING': {
    exit: 'usage',
    cause: 'A key that the project declares, or that a command asks for, has no value.',
    next: 'Set it with `cairn config set KEY VALUE`.',
  },
  'CAIRN-STACK-NOT-CHOSEN': {
    exit: 'noStackChosen',
    cause: 'No stack is selected, and none was named.',
    next: 'Name one with `--stack`, or select one with `cairn stack select`; `cairn stack init` makes one.',
  },
  'CAIRN-STACK-NOT-FOUND': {
    exit: 'stackNotFound',
    cause: 'No stack of that name is on the backend.',
    next: '`cairn stack ls` lists the stacks, `cairn stack select` chooses one, `cairn stack init` makes one.',
  },
  'CAIRN-STACK-EXISTS': {
    exit: 'general',
    cause: 'A stack of that name is on the backend already.',
    next: 'Select it, or choose another name.',
  },
  'CAIRN-STACK-NOT-EMPTY': {
    exit: 'general',
    cause: 'A stack that is to be removed still has resources.',
    next: 'Run `cairn destroy` first, or forget about them with `cairn stack rm --force`.',
  },
  'CAIRN-NAME-INVALID': {
    exit: 'usage',
    cause: 'The name of a stack or project has a character that names cannot have, or is too long.',
    next: 'Use letters, digits, `-`, `_` and `.`, at most 100 of them.',
  },
  // secrets
  'CAIRN-HOME-OPEN': {
    exit: 'general',
    cause:
      'Other users of the machine could open the home of Cairn, which has state, logins and passphrases.',
    next: 'Nothing if Cairn has closed it; otherwise name a folder of your own with `CAIRN_HOME`.',
  },
  'CAIRN-PASSPHRASE-MISSING': {
    exit: 'authentication',
    cause: 'A secret has to be opened or sealed, and nobody gave the passphrase.',
    next: 'Set `CAIRN_CONFIG_PASSPHRASE` or `CAIRN_CONFIG_PASSPHRASE_FILE`, or run at a terminal.',
  },
  'CAIRN-PASSPHRASE-WRONG': {
    exit: 'authentication',
    cause: 'The passphrase does not open the secrets of this stack.',
    next: 'Give the one with which they were sealed.',
  },
  'CAIRN-SECRETS-UNKNOWN-TYPE': {
    exit: 'general',
    cause: 'The state names a kind of secrets manager that Cairn does not have.',
    next: 'Change the manager with the tool that wrote the state, then come back.',
  },
  'CAIRN-SECRETS-MALFORMED': {
    exit: 'general',
    cause: 'A sealed value, or the settings of a secrets manager, cannot be read.',
    next: 'Restore the key or file that the message names from a copy.',
  },
  'CAIRN-KEY-URL': {
    exit: 'usage',
    cause: 'The URL of a key of a key service is not well formed.',
    next: 'Compare it with the forms in docs/secrets.md.',
  },
  'CAIRN-KEY-CREDENTIALS': {
    exit: 'authentication',
    cause: 'The key service does not know who asks.',
    next: 'Log in to the cloud again, or set the variables that docs/secrets.md names for this kind of key.',
  },
  'CAIRN-KEY-DENIED': {
    exit: 'authentication',
    cause: 'These credentials may not use the key.',
    next: 'Use others, or have the owner of the key allow encrypting and decrypting with it.',
  },
  'CAIRN-KEY-MISSING': {
    exit: 'general',
    cause: 'The key does not exist, or is disabled.',
    next: 'Enable or restore it at its service; what it protects cannot be read without it.',
  },
  'CAIRN-KEY-WRONG': {
    exit: 'general',
    cause: 'The data key of the stack was not wrapped by this key.',
    next: 'Compare `secretsprovider` and `encryptedkey` of the stack file with an older copy: they belong together.',
  },
  'CAIRN-KEY-UNAVAILABLE': {
    exit: 'general',
    cause: 'The key service does not answer.',
    next: 'Run the command again later; nothing was changed.',
  },
  'CAIRN-KEY-FAILED': {
    exit: 'general',
    cause: 'The key service gave an answer that cannot be used.',
    next: 'Check the URL of the key and the address of its service.',
  },
  // stores and state
  'CAIRN-BACKEND-URL': {
    exit: 'usage',
    cause: 'The address of a backend has an unknown scheme or parameter, or names no place.',
    next: 'Correct the address; docs/state.md shows each kind.',
  },
  'CAIRN-STORE-FULL': {
    exit: 'general',
    cause: 'The disk or bucket has no space left.',
    next: 'Make space, then run the command again; what was recorded is kept.',
  },
  'CAIRN-STORE-READ-ONLY': {
    exit: 'general',
    cause: 'The store cannot be written to.',
    next: 'Make it writable, or log in to another backend.',
  },
  'CAIRN-STORE-DENIED': {
    exit: 'general',
    cause: 'This user, or these credentials, may not do that at the store.',
    next: 'Give the right to list, read, write and delete, or use others.',
  },
  'CAIRN-STORE-FAILED': {
    exit: 'general',
    cause: 'The store gave an answer that cannot be used.',
    next: 'Check the address and the server, then run the command again.',
  },
  'CAIRN-STORE-CONFLICT': {
    exit: 'general',
    cause: 'Somebody else changed a file between reading and writing it.',
    next: 'Find out who else works on the stack; what this operation recorded is in its journal.',
  },
  'CAIRN-STORE-UNAVAILABLE': {
    exit: 'general',
    cause: 'The store does not answer, or asks to wait.',
    next: 'Check the network and the endpoint, then run the command again.',
  },
  'CAIRN-STORE-CREDENTIALS': {
    exit: 'authentication',
    cause: 'The store does not know who asks: credentials are missing, wrong or expired, or the clock is.',
    next: 'Log in again, or correct what the message names.',
  },
  'CAIRN-STORE-NO-BUCKET': {
    exit: 'general',
    cause: 'The bucket or container does not exist.',
    next: 'Create it, or correct name, region or endpoint in the address.',
  },
  'CAIRN-STORE-UNCONDITIONAL': {
    exit: 'general',
    cause: 'The server ignores conditions on writes, so two writers could not be kept apart.',
    next: 'Use a server that has conditional writes.',
  },
  'CAIRN-LEASE-LOST': {
    exit: 'general',
    cause: 'Another process took over the stack while this one worked on it.',
    next: 'Find out who works on it now; what was recorded before is kept, and `cairn changes` shows it.',
  },
  'CAIRN-STATE-LOCKED': {
    exit: 'general',
    cause: 'Somebody works on the stack, or left a lock that may not be taken over.',
    next: 'Wait for the process that is named; `cairn cancel` removes a lock of one that is gone.',
  },
  'CAIRN-STATE-CORRUPT': {
    exit: 'general',
    cause: 'A file of the stack is damaged.',
    next: 'Restore the file that is named from its `.bak` or a backup; nothing was changed.',
  },
  'CAIRN-STATE-TOO-NEW': {
    exit: 'general',
    cause: 'A file needs a version or feature that this Cairn does not know.',
    next: 'Install a newer Cairn.',
  },
  'CAIRN-STATE-TOO-OLD': {
    exit: 'general',
    cause: 'The store or state has a layout that is not worked on any more.',
    next: 'Run `cairn state upgrade`.',
  },
  'CAIRN-STATE-SEALED': {
    exit: 'authentication',
    cause: 'The state is sealed as a whole, and its key is not at hand.',
    next: 'Make the secrets manager of the stack available: its passphrase or key service.',
  },
  'CAIRN-STATE-SEALED-DAMAGED': {
    exit: 'general',
    cause: 'A sealed file was altered, or belongs to another stack.',
    next: 'Restore it from its `.bak` or from a backup of this same stack.',
  },
  'CAIRN-STATE-INTEGRITY': {
    exit: 'general',
    cause: 'The state is not consistent: an entry refers to what is not there, or comes too early.',
    next: 'Run `cairn state repair`; the message names the entry and the rule.',
  },
  'CAIRN-STATE-RESOURCE': {
    exit: 'general',
    cause:
      'A command about the state names an entry that is not there, is protected, or is needed by others.',
    next: '`cairn stack --show-urns` lists the entries; the message names the flag that allows more.',
  },
  'CAIRN-JOURNAL-CORRUPT': {
    exit: 'general',
    cause: 'The journal of an operation is damaged before its end.',
    next: 'Restore it from a backup; `cairn state repair` shows what is left and can set it aside.',
  },
  'CAIRN-IN-DOUBT': {
    exit: 'general',
    cause: 'Nobody knows whether a step that was begun took effect.',
    next: 'Look at the provider, then answer with `cairn change resolve`; docs/resume-and-rollback.md has the ways.',
  },
  // changes
  'CAIRN-CHANGE-UNKNOWN': {
    exit: 'general',
    cause: 'No change has that number, or its record is not kept any more.',
    next: '`cairn changes` lists those that are.',
  },
  'CAIRN-CHANGE-ENDED': {
    exit: 'general',
    cause: 'The change does not run, so it cannot be followed or stopped.',
    next: '`cairn change NUMBER` shows how it ended.',
  },
  'CAIRN-UNFINISHED': {
    exit: 'general',
    cause: 'An operation before this one did not come to its end.',
    next: '`cairn resume` goes on with it, `cairn rollback` rolls it back.',
  },
  'CAIRN-CHANGE-SUPERSEDED': {
    exit: 'general',
    cause: 'The stack has gone on since that change.',
    next: '`cairn up` goes on from the state as it is.',
  },
  'CAIRN-CHANGE-CONFLICT': {
    exit: 'conflict',
    cause: 'Another operation holds a part of the stack that this one needs.',
    next: 'Wait for the change that is named, or choose targets that it does not touch.',
  },
  // plugins and providers
  'CAIRN-PLUGIN-NOT-FOUND': {
    exit: 'general',
    cause: 'A plugin is not installed.',
    next: 'Install it; the message names the places that were looked at.',
  },
  'CAIRN-PLUGIN-CHECKSUM': {
    exit: 'general',
    cause: 'The files of a plugin are not those whose checksum is recorded.',
    next: 'Install the recorded package again, or record the checksum of this one if you trust it.',
  },
  'CAIRN-PLUGIN-SIGNATURE': {
    exit: 'general',
    cause: 'The checksums of a provider are not signed, or not by a key that its registry names.',
    next: 'Try again; if it stays so, tell the publisher, or take the provider from a mirror that you trust.',
  },
  'CAIRN-PLUGIN-INSTALL': {
    exit: 'general',
    cause: 'A plugin could not be downloaded, unpacked or removed.',
    next: 'Check its name, its version and where it comes from; the message says what went wrong.',
  },
  'CAIRN-PLUGIN-START': {
    exit: 'general',
    cause: 'A plugin could not be started, or did not say its port.',
    next: 'Read its output above the message and mend its installation.',
  },
  'CAIRN-SCHEMA-INVALID': {
    exit: 'general',
    cause: 'The schema of a package breaks its format; each line names a place as a JSON pointer.',
    next: 'Correct the places that are named, or report them to the authors of the package.',
  },
  'CAIRN-PLUGIN-DIED': {
    exit: 'resource',
    cause: 'The process of a plugin ended in the middle of its work.',
    next: "Run the command again; when it repeats, report it to the plugin's authors with its output.",
  },
  'CAIRN-PROVIDER-CRASHED': {
    exit: 'resource',
    cause: 'The command was ended by a signal while a provider package worked in its process.',
    next: 'Run `cairn resume` if the command was changing something, else run it again: the provider then has a process of its own. Where the home is not kept between commands, set CAIRN_PROVIDERS_OUT_OF_PROCESS=1.',
  },
  'CAIRN-PLUGIN-OUTPUT': {
    exit: 'general',
    cause: 'A plugin wrote something.',
    next: 'It is shown as it is; what to do is up to what it says.',
  },
  'CAIRN-DEBUGGER-OPEN': {
    exit: 'general',
    cause: 'A program or plugin waits for a debugger, and any user of the machine can be that.',
    next: 'Use `--attach-debugger` only on machines whose users you trust.',
  },
  'CAIRN-PEER-REFUSED': {
    exit: 'general',
    cause: 'A process of another user tried to speak to the engine.',
    next: 'Run plugins and programs as the user who runs Cairn.',
  },
  'CAIRN-PROVIDER-CONFIG': {
    exit: 'resource',
    cause: 'A provider refused its settings, or misses some.',
    next: 'Set what the message names, with `cairn config set PACKAGE:KEY` or in the program.',
  },
  'CAIRN-PROVIDER-ANSWER': {
    exit: 'resource',
    cause: "A provider's answer cannot be used.",
    next: 'Report it to the author of the provider; nothing of the answer is in the state.',
  },
  'CAIRN-PROVIDER-CONTRACT': {
    exit: 'resource',
    cause: "A provider's answer contradicts what it said before.",
    next: 'Report it to the author of the provider; without `--strict-providers` it is a warning.',
  },
  'CAIRN-TERRAFORM-PLAN': {
    exit: 'resource',
    cause: 'A Terraform provider planned something that its contract does not allow.',
    next: 'Nothing was changed; report it to the provider, naming the rule in brackets, and use another version of it until then.',
  },
  'CAIRN-TERRAFORM-FINAL-PLAN': {
    exit: 'resource',
    cause:
      'A Terraform provider planned something else when the change was applied than when it was planned.',
    next: 'The resource was not changed; preview again, and report it to the provider when it happens again.',
  },
  'CAIRN-TERRAFORM-RESULT': {
    exit: 'resource',
    cause: 'What a Terraform provider returned after a change is not what it had planned.',
    next: 'What it returned was saved; report it to the provider, then refresh and preview.',
  },
  'CAIRN-TERRAFORM-OBJECT': {
    exit: 'resource',
    cause: 'A Terraform provider returned an object that its own schema does not allow.',
    next: 'Report it to the provider, naming the rule in brackets, and use another version of it until then.',
  },
  'CAIRN-TERRAFORM-IMPORT': {
    exit: 'resource',
    cause:
      'A Terraform provider did not find the object to import, or returned something else than that one object.',
    next: 'Check the id that was given; the documentation of the resource type says which form it has.',
  },
  'CAIRN-TERRAFORM-STATE': {
    exit: 'usage',
    cause:
      'A file is not a state of Terraform that can be taken over, or a stack cannot be given to Terraform.',
    next: 'Do what the message says; nothing was changed.',
  },
  'CAIRN-TERRAFORM-STATE-VERSION': {
    exit: 'resource',
    cause: 'State of a resource was written with a newer version of its Terraform provider.',
    next: 'Use that version of the provider, or a newer one.',
  },
  'CAIRN-TERRAFORM-DEFERRED': {
    exit: 'resource',
    cause: 'A Terraform provider put a change off, which Cairn does not offer.',
    next: 'Make sure that what the provider is configured with is known, then run again.',
  },
  'CAIRN-PROVIDER-TEST': {
    exit: 'resource',
    cause: 'A provider that is tested cannot be configured, or breaks promises.',
    next: 'Correct the settings in the file of inputs; report broken promises to the author of the provider.',
  },
  'CAIRN-PROVIDER-REFERENCE': {
    exit: 'resource',
    cause: 'A resource refers to a provider that is not there, or was not registered in this operation.',
    next: 'Name a provider of this stack, or run without targets.',
  },
  // program
  'CAIRN-PROGRAM-FAILED': {
    exit: 'general',
    cause: 'The program threw, or ended with an exit code other than 0.',
    next: 'Correct the program where the message points.',
  },
  'CAIRN-PROGRAM-LOAD': {
    exit: 'general',
    cause:
      'The program could not be started: a file, a package or the interpreter is missing, or a file has an error.',
    next: 'Do what the message says, for instance `npm install`.',
  },
  'CAIRN-PROGRAM-LOG': {
    exit: 'general',
    cause: 'The program, or a provider, logged an error and went on.',
    next: 'What to do is up to what it says.',
  },
  'CAIRN-PROGRAM-CHANGED': {
    exit: 'general',
    cause: 'A resume found that the program wants something else than when the operation began.',
    next: 'Restore the program, roll the operation back with `cairn rollback`, or start over with `cairn up`.',
  },
  'CAIRN-RUNTIME-UNKNOWN': {
    exit: 'usage',
    cause:
      'A project or plugin names a language that is not built in, and the plugin of that language is not installed.',
    next: 'Install the executable that is named, `pulumi-language-NAME`, or correct `runtime`.',
  },
  // resources
  'CAIRN-RESOURCE-FAILED': {
    exit: 'resource',
    cause: 'A step on a resource failed at its provider.',
    next: 'Correct the cause that the provider names, then run again or `cairn resume`.',
  },
  'CAIRN-RESOURCE-INIT-FAILED': {
    exit: 'resource',
    cause: 'The object exists but did not become ready.',
    next: 'Look at it; the next up tries again.',
  },
  'CAIRN-RESOURCE-CHECK': {
    exit: 'resource',
    cause: 'The provider refused a property.',
    next: 'Correct the property in the program.',
  },
  'CAIRN-RESOURCE-DUPLICATE': {
    exit: 'resource',
    cause: 'Two resources have one URN, or one alias.',
    next: 'Give them different names.',
  },
  'CAIRN-RESOURCE-PARENT': {
    exit: 'resource',
    cause: 'The parent of a resource has not been registered.',
    next: 'Register the parent first.',
  },
  'CAIRN-RESOURCE-TYPE': {
    exit: 'resource',
    cause: 'The type of a resource is not well formed, or cannot be used that way.',
    next: 'Write it as `package:module:Name`; the message says what is possible instead.',
  },
  'CAIRN-RESOURCE-OPTION': {
    exit: 'resource',
    cause: 'An option of a resource has a value that it cannot have.',
    next: 'Correct the option that is named.',
  },
  'CAIRN-HOOK-FAILED': {
    exit: 'resource',
    cause: 'A hook threw, or is not registered in this run.',
    next: 'Correct the hook, or let the program register it.',
  },
  'CAIRN-RESOURCE-ASSET': {
    exit: 'resource',
    cause: 'The file of an asset or archive cannot be read.',
    next: 'Correct its path.',
  },
  'CAIRN-RESOURCE-PROTECTED': {
    exit: 'resource',
    cause: 'A protected resource would be deleted or replaced.',
    next: 'Set `protect: false` and run up, keep the resource in the program, or use `cairn state unprotect`.',
  },
  'CAIRN-RESOURCE-MISSING': {
    exit: 'resource',
    cause: 'An object that is to be read, imported or compared does not exist.',
    next: 'Correct the id.',
  },
  'CAIRN-RESOURCE-CYCLE': {
    exit: 'resource',
    cause: 'A resource depends on itself, directly or through others.',
    next: 'Remove one of the references.',
  },
  'CAIRN-ROLLBACK-HELD': {
    exit: 'resource',
    cause:
      'A rollback leaves a resource as it is, because of an option, its data, or something that needs it.',
    next: 'Decide what is to become of it, then run up.',
  },
  'CAIRN-TARGET': {
    exit: 'resource',
    cause: 'A target names nothing, or the operation would touch what was not named.',
    next: 'Correct the target, name the rest as well, or give `--target-dependents`.',
  },
  'CAIRN-UNEXPECTED-CHANGES': {
    exit: 'unexpectedChanges',
    cause: 'There were changes although `--expect-no-changes` was given; they are shown, or were made.',
    next: 'Look at what was shown; run the command without the flag when the changes are wanted.',
  },
  'CAIRN-UNEXPECTED-REPLACEMENT': {
    exit: 'unexpectedChanges',
    cause: 'A resource needs a new object although `--expect-no-replacements` was given; it stays as it is.',
    next: 'Undo the change that needs a new object, or run the command without the flag.',
  },
  'CAIRN-UNEXPECTED-DELETE': {
    exit: 'unexpectedChanges',
    cause:
      'The program does not register a resource any more although `--expect-no-deletes` was given; it stays as it is.',
    next: 'Register the resource again, or run the command without the flag.',
  },
  // saved plans
  'CAIRN-PLAN-INVALID': {
    exit: 'usage',
    cause: 'The file is no plan, or one of another stack.',
    next: 'Make one with `cairn preview --save-plan FILE`.',
  },
  'CAIRN-PLAN-VIOLATED': {
    exit: 'general',
    cause: 'The operation would do something else than the plan allows.',
    next: 'Preview again and make a new plan; nothing beyond the plan was done.',
  },
  'CAIRN-PLAN-RESUMED': {
    exit: 'general',
    cause: 'Says whether a resume goes on by the plan or runs the program.',
    next: 'Nothing: it is for information.',
  },
  // policies and snippets
  'CAIRN-SNIPPET': {
    exit: 'usage',
    cause: 'A snippet cannot be used: its code, its references or its id.',
    next: 'Correct the snippet; nothing was changed.',
  },
  'CAIRN-POLICY-PACK': {
    exit: 'general',
    cause: 'A policy pack could not be loaded or asked.',
    next: 'Mend the pack or its configuration; `npm install` in its directory when packages are missing.',
  },
  'CAIRN-POLICY-VIOLATION': {
    exit: 'policy',
    cause: 'A resource, or the stack, breaks a mandatory policy.',
    next: 'Change the resource so that the policy is kept.',
  },
  // outcomes of operations
  'CAIRN-CANCELLED': {
    exit: 'cancelled',
    cause: 'The operation was interrupted or cancelled.',
    next: '`cairn resume` goes on with it, `cairn rollback` rolls it back.',
  },
  'CAIRN-WAITING': {
    exit: 'waiting',
    cause: 'The operation rests: an approval or an answer is missing.',
    next: 'Give it with `cairn approve` or `cairn change resolve`, then `cairn resume`.',
  },
  'CAIRN-TIMEOUT': {
    exit: 'timeout',
    cause: 'Something did not come to an end in the time for it.',
    next: 'Look at the logs of the tasks that are named, then try again.',
  },
  'CAIRN-DESCRIPTORS': {
    exit: 'general',
    cause: 'All files, pipes and sockets that a process may have are open, and none was given back in time.',
    next: 'Raise the limit, for instance with `ulimit -n 4096`, or do less at once with --parallel.',
  },
  'CAIRN-INTERNAL': {
    exit: 'internal',
    cause: 'A fault of Cairn itself.',
    next: 'Report it with the text and `-v`; the state holds what was recorded.',
  },
} as const satisfies Record<string, CodeRow>;

/** A code of the table. */
export type ErrorCode = keyof typeof codes;

/** Returns the exit code for a diagnostic's code. A code outside the table counts as a general failure. */
export function exitCodeFor(code: string): number {
  return Object.hasOwn(codes, code) ? EXIT[codes[code as ErrorCode].exit] : EXIT.general;
}
