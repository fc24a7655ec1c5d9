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
    cause: 'A command, flag or argument is unknown, or flags contradict each other.',
    next: 'Read `cairn COMMAND --help`; the message suggests the nearest match.',
  },
  'CAIRN-NOT-OFFERED': {
    exit: 'usage',
    cause: 'The command or flag belongs to Pulumi or Terraform, and Cairn does not have it.',
    next: 'Use what the message suggests instead, or leave the flag out.',
  },
  'CAIRN-NEEDS-CONFIRMATION': {
    exit: 'confirmation',
    cause: 'A question needs an answer, but there is no terminal to ask on.',
    next: 'Pass the flag that the message names, such as `--yes`.',
  },
  'CAIRN-ALIAS': {
    exit: 'usage',
    cause: 'Another executable has the name of the alias, or the Cairn behind an alias no longer exists.',
    next: 'Choose another directory, or write the alias again with `cairn alias --force DIRECTORY`.',
  },
  'CAIRN-EVENT-LOG': {
    exit: 'usage',
    cause: 'The file or listener of `--event-log` cannot be written to.',
    next: 'Name a file that can be written, or start the listener first.',
  },
  // project, stack and config files
  'CAIRN-PROJECT-MISSING': {
    exit: 'usage',
    cause: 'There is no project file in this directory or above it.',
    next: 'Change to the directory of a project, pass `-C DIRECTORY`, or create a project with `cairn new`.',
  },
  'CAIRN-PROJECT-INVALID': {
    exit: 'usage',
    cause: 'The project file is malformed.',
    next: 'Correct the lines that the message names.',
  },
  'CAIRN-CONFIG-INVALID': {
    exit: 'usage',
    cause:
      'A configuration key or value is malformed or does not have its declared type, or a stack file is malformed.',
    next: 'Correct it with `cairn config set`, or in the file at the line that the message names.',
  },
  'CAIRN-CONFIG-MISSING': {
    exit: 'usage',
    cause: 'A key that the project declares, or that a command needs, has no value.',
    next: 'Set it with `cairn config set KEY VALUE`.',
  },
  'CAIRN-STACK-NOT-CHOSEN': {
    exit: 'noStackChosen',
    cause: 'No stack is selected, and none was named.',
    next: 'Name one with `--stack`, select one with `cairn stack select`, or create one with `cairn stack init`.',
  },
  'CAIRN-STACK-NOT-FOUND': {
    exit: 'stackNotFound',
    cause: 'The backend has no stack of that name.',
    next: 'List the stacks with `cairn stack ls`, select one with `cairn stack select`, or create one with `cairn stack init`.',
  },
  'CAIRN-STACK-EXISTS': {
    exit: 'general',
    cause: 'The backend already has a stack of that name.',
    next: 'Select it, or choose another name.',
  },
  'CAIRN-STACK-NOT-EMPTY': {
    exit: 'general',
    cause: 'A stack that is to be removed still has resources.',
    next: 'Run `cairn destroy` first, or abandon the resources with `cairn stack rm --force`.',
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
      'Other users of the machine could open the home of Cairn, which contains state, logins and passphrases.',
    next: 'Nothing, if Cairn restricted the access; otherwise choose a folder of your own with `CAIRN_HOME`.',
  },
  'CAIRN-PASSPHRASE-MISSING': {
    exit: 'authentication',
    cause: 'A secret must be decrypted or encrypted, but no passphrase was given.',
    next: 'Set `CAIRN_CONFIG_PASSPHRASE` or `CAIRN_CONFIG_PASSPHRASE_FILE`, or run at a terminal.',
  },
  'CAIRN-PASSPHRASE-WRONG': {
    exit: 'authentication',
    cause: 'The passphrase does not open the secrets of this stack.',
    next: 'Use the passphrase that encrypted them.',
  },
  'CAIRN-SECRETS-UNKNOWN-TYPE': {
    exit: 'general',
    cause: 'The state names a kind of secrets manager that Cairn does not have.',
    next: 'Change the secrets manager with the tool that wrote the state.',
  },
  'CAIRN-SECRETS-MALFORMED': {
    exit: 'general',
    cause: 'An encrypted value, or the settings of a secrets manager, cannot be read.',
    next: 'Restore the key or file that the message names from a copy.',
  },
  'CAIRN-KEY-URL': {
    exit: 'usage',
    cause: 'The URL of a key of a key service is not well formed.',
    next: 'Compare it with the forms in docs/secrets.md.',
  },
  'CAIRN-KEY-CREDENTIALS': {
    exit: 'authentication',
    cause: 'The key service does not accept the credentials, or there are none.',
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
    next: 'Enable or restore it at its service; secrets that it encrypted cannot be read without it.',
  },
  'CAIRN-KEY-WRONG': {
    exit: 'general',
    cause: 'The data key of the stack was not encrypted by this key.',
    next: 'Compare `secretsprovider` and `encryptedkey` of the stack file with an older copy: they belong together.',
  },
  'CAIRN-KEY-UNAVAILABLE': {
    exit: 'general',
    cause: 'The key service does not answer.',
    next: 'Run the command again later; nothing was changed.',
  },
  'CAIRN-KEY-FAILED': {
    exit: 'general',
    cause: 'The key service returned an unusable answer.',
    next: 'Check the URL of the key and the address of its service.',
  },
  // stores and state
  'CAIRN-BACKEND-URL': {
    exit: 'usage',
    cause: 'The address of a backend is incomplete, or has an unknown scheme or parameter.',
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
    cause: 'The user or the credentials lack a permission at the store.',
    next: 'Grant the permission to list, read, write and delete, or use other credentials.',
  },
  'CAIRN-STORE-FAILED': {
    exit: 'general',
    cause: 'The store returned an unusable answer.',
    next: 'Check the address and the server, then run the command again.',
  },
  'CAIRN-STORE-CONFLICT': {
    exit: 'general',
    cause: 'Another process changed a file between reading and writing it.',
    next: 'Find out who else works on the stack; what this operation recorded is in its journal.',
  },
  'CAIRN-STORE-UNAVAILABLE': {
    exit: 'general',
    cause: 'The store does not answer, or limits the requests.',
    next: 'Check the network and the endpoint, then run the command again.',
  },
  'CAIRN-STORE-CREDENTIALS': {
    exit: 'authentication',
    cause:
      'The store does not accept the credentials: they are missing, wrong or expired, or the clock is wrong.',
    next: 'Log in again, or correct what the message names.',
  },
  'CAIRN-STORE-NO-BUCKET': {
    exit: 'general',
    cause: 'The bucket or container does not exist.',
    next: 'Create it, or correct name, region or endpoint in the address.',
  },
  'CAIRN-STORE-UNCONDITIONAL': {
    exit: 'general',
    cause: 'The server ignores conditions on writes, so two writers could overwrite each other.',
    next: 'Use a server that has conditional writes.',
  },
  'CAIRN-LEASE-LOST': {
    exit: 'general',
    cause: 'Another process took over the stack while this one worked on it.',
    next: 'Find out who works on it now; what was recorded before is kept, and `cairn changes` shows it.',
  },
  'CAIRN-STATE-LOCKED': {
    exit: 'general',
    cause: 'Another process works on the stack, or left a lock that may not be taken over.',
    next: 'Wait for the process that the message names, or remove the lock of a dead process with `cairn cancel`.',
  },
  'CAIRN-STATE-CORRUPT': {
    exit: 'general',
    cause: 'A file of the stack is damaged.',
    next: 'Restore the file that the message names from its `.bak` or a backup; nothing was changed.',
  },
  'CAIRN-STATE-TOO-NEW': {
    exit: 'general',
    cause: 'A file needs a version or feature that this Cairn does not know.',
    next: 'Install a newer Cairn.',
  },
  'CAIRN-STATE-TOO-OLD': {
    exit: 'general',
    cause: 'The layout of the store or state is no longer supported.',
    next: 'Run `cairn state upgrade`.',
  },
  'CAIRN-STATE-SEALED': {
    exit: 'authentication',
    cause: 'The state is sealed as a whole, and its key is not available.',
    next: 'Make the secrets manager of the stack available: its passphrase or key service.',
  },
  'CAIRN-STATE-SEALED-DAMAGED': {
    exit: 'general',
    cause: 'A sealed file was altered, or belongs to another stack.',
    next: 'Restore it from its `.bak` or from a backup of this same stack.',
  },
  'CAIRN-STATE-INTEGRITY': {
    exit: 'general',
    cause: 'The state is not consistent: an entry refers to a missing entry, or to one that comes after it.',
    next: 'Run `cairn state repair`; the message names the entry and the rule.',
  },
  'CAIRN-STATE-TOO-LARGE': {
    exit: 'general',
    cause: 'A resource has more than 512 MiB, or a state more than 2 GiB.',
    next: 'Keep large content in files, or divide the stack.',
  },
  'CAIRN-STATE-RESOURCE': {
    exit: 'general',
    cause: 'A command on the state names an entry that does not exist, is protected, or is needed by others.',
    next: '`cairn stack --show-urns` lists the entries; the message names the flag that allows more.',
  },
  'CAIRN-JOURNAL-CORRUPT': {
    exit: 'general',
    cause: 'The journal of an operation is damaged before its end.',
    next: 'Restore it from a backup; `cairn state repair` shows what is left and can set it aside.',
  },
  'CAIRN-IN-DOUBT': {
    exit: 'general',
    cause: 'Cairn does not know whether a step that it began took effect.',
    next: 'Look at the provider, then answer with `cairn change resolve`; see docs/resume-and-rollback.md.',
  },
  // changes
  'CAIRN-CHANGE-UNKNOWN': {
    exit: 'general',
    cause: 'No change has that number, or its record is no longer kept.',
    next: 'List the recorded changes with `cairn changes`.',
  },
  'CAIRN-CHANGES-NOT-KEPT': {
    exit: 'usage',
    cause: 'The state service does not keep the records of changes, which the command needs.',
    next: 'Continue from the state with `cairn up`, or use a service of Cairn or a bucket.',
  },
  'CAIRN-CHANGE-ENDED': {
    exit: 'general',
    cause: 'The change is not running, so it cannot be followed or stopped.',
    next: '`cairn change NUMBER` shows how it ended.',
  },
  'CAIRN-UNFINISHED': {
    exit: 'general',
    cause: 'An earlier operation did not finish.',
    next: 'Continue it with `cairn resume`, or roll it back with `cairn rollback`.',
  },
  'CAIRN-CHANGE-SUPERSEDED': {
    exit: 'general',
    cause: 'The stack has changed since that change.',
    next: 'Run `cairn up` to continue from the current state.',
  },
  'CAIRN-CHANGE-CONFLICT': {
    exit: 'conflict',
    cause: 'Another operation holds a part of the stack that this one needs.',
    next: 'Wait for the change that the message names, or choose targets that it does not touch.',
  },
  // plugins and providers
  'CAIRN-PLUGIN-NOT-FOUND': {
    exit: 'general',
    cause: 'A plugin is not installed.',
    next: 'Install it; the message names the places that Cairn searched.',
  },
  'CAIRN-PLUGIN-CHECKSUM': {
    exit: 'general',
    cause: 'The files of a plugin are not those whose checksum is recorded.',
    next: 'Install the recorded package again, or record the checksum of this one if you trust it.',
  },
  'CAIRN-PLUGIN-SIGNATURE': {
    exit: 'general',
    cause: 'The checksums of a provider are not signed, or not by a key that its registry names.',
    next: 'Try again; if it fails again, tell the publisher, or install the provider from a mirror that you trust.',
  },
  'CAIRN-PLUGIN-INSTALL': {
    exit: 'general',
    cause: 'A plugin could not be downloaded, unpacked or removed.',
    next: 'Check its name, its version and where it comes from; the message says what went wrong.',
  },
  'CAIRN-PLUGIN-START': {
    exit: 'general',
    cause: 'A plugin could not be started, or did not print its port.',
    next: 'Read its output above the message and repair its installation.',
  },
  'CAIRN-SCHEMA-INVALID': {
    exit: 'general',
    cause: 'The schema of a package is malformed; each line names a place as a JSON pointer.',
    next: 'Correct these places, or report them to the authors of the package.',
  },
  'CAIRN-PLUGIN-DIED': {
    exit: 'resource',
    cause: 'The process of a plugin ended during its work.',
    next: "Run the command again; if it happens again, report it to the plugin's authors with its output.",
  },
  'CAIRN-PROVIDER-CRASHED': {
    exit: 'resource',
    cause: 'A signal ended the command while a provider package worked in its process.',
    next: 'Run `cairn resume` if the command was changing something, else run it again: the provider then runs in its own process. If the home of Cairn is not kept between commands, set CAIRN_PROVIDERS_OUT_OF_PROCESS=1.',
  },
  'CAIRN-PLUGIN-OUTPUT': {
    exit: 'general',
    cause: 'A plugin wrote a message.',
    next: 'Follow the message, which is shown unchanged.',
  },
  'CAIRN-DEBUGGER-OPEN': {
    exit: 'general',
    cause: 'A program or plugin waits for a debugger, and any user of the machine can attach one.',
    next: 'Use `--attach-debugger` only on machines whose users you trust.',
  },
  'CAIRN-PEER-REFUSED': {
    exit: 'general',
    cause: 'A process of another user tried to connect to the engine.',
    next: 'Run plugins and programs as the user who runs Cairn.',
  },
  'CAIRN-PROVIDER-CONFIG': {
    exit: 'resource',
    cause: 'A provider refused its settings, or lacks some.',
    next: 'Set what the message names, with `cairn config set PACKAGE:KEY` or in the program.',
  },
  'CAIRN-PROVIDER-ANSWER': {
    exit: 'resource',
    cause: "A provider's answer cannot be used.",
    next: 'Report it to the author of the provider; nothing of the answer is in the state.',
  },
  'CAIRN-PROVIDER-CONTRACT': {
    exit: 'resource',
    cause: "A provider's answer contradicts an earlier answer.",
    next: 'Report it to the author of the provider; without `--strict-providers` it is a warning.',
  },
  'CAIRN-TERRAFORM-PLAN': {
    exit: 'resource',
    cause: 'A Terraform provider planned something that its contract does not allow.',
    next: 'Nothing was changed; report it to the provider, naming the rule in brackets, and use another version of it until then.',
  },
  'CAIRN-TERRAFORM-FINAL-PLAN': {
    exit: 'resource',
    cause: 'A Terraform provider planned another change when applying it than when planning it.',
    next: 'The resource was not changed; preview again, and report it to the provider when it happens again.',
  },
  'CAIRN-TERRAFORM-RESULT': {
    exit: 'resource',
    cause: 'The result of a change by a Terraform provider differs from its plan.',
    next: 'The result was saved; report this to the provider, then refresh and preview.',
  },
  'CAIRN-TERRAFORM-OBJECT': {
    exit: 'resource',
    cause: 'A Terraform provider returned an object that its own schema does not allow.',
    next: 'Report it to the provider, naming the rule in brackets, and use another version of it until then.',
  },
  'CAIRN-TERRAFORM-IMPORT': {
    exit: 'resource',
    cause: 'A Terraform provider did not find the object to import, or returned another object or several.',
    next: 'Check the id that was given; the documentation of the resource type says which form it has.',
  },
  'CAIRN-TERRAFORM-STATE': {
    exit: 'usage',
    cause:
      'A file is not a Terraform state that Cairn can import, or a stack cannot be exported to Terraform.',
    next: 'Do what the message says; nothing was changed.',
  },
  'CAIRN-TERRAFORM-STATE-VERSION': {
    exit: 'resource',
    cause: 'The state of a resource was written by a newer version of its Terraform provider.',
    next: 'Use that version of the provider, or a newer one.',
  },
  'CAIRN-TERRAFORM-DEFERRED': {
    exit: 'resource',
    cause: 'A Terraform provider deferred a change, which Cairn does not support.',
    next: 'Make sure that the configuration of the provider is known, then run again.',
  },
  'CAIRN-PROVIDER-TEST': {
    exit: 'resource',
    cause: 'A provider that is tested cannot be configured, or breaks promises.',
    next: 'Correct the settings in the file of inputs; report broken promises to the author of the provider.',
  },
  'CAIRN-PROVIDER-REFERENCE': {
    exit: 'resource',
    cause: 'A resource refers to a provider that does not exist, or was not registered in this operation.',
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
    cause: 'The program, or a provider, logged an error and continued.',
    next: 'Follow the logged message.',
  },
  'CAIRN-PROGRAM-CHANGED': {
    exit: 'general',
    cause: 'A resume found that the program has changed since the operation began.',
    next: 'Restore the program, roll the operation back with `cairn rollback`, or start over with `cairn up`.',
  },
  'CAIRN-RUNTIME-UNKNOWN': {
    exit: 'usage',
    cause:
      'A project or plugin names a language that is not built in, and the plugin of that language is not installed.',
    next: 'Install the executable that the message names, `pulumi-language-NAME`, or correct `runtime`.',
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
    next: 'Check the object; the next up tries again.',
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
    cause: 'An option of a resource has an invalid value.',
    next: 'Correct the option that the message names.',
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
    next: 'Decide what to do with it, then run up.',
  },
  'CAIRN-TARGET': {
    exit: 'resource',
    cause: 'A target matches no resource, or the operation would change other resources.',
    next: 'Correct the target, name the other resources as well, or pass `--target-dependents`.',
  },
  'CAIRN-UNEXPECTED-CHANGES': {
    exit: 'unexpectedChanges',
    cause: 'There were changes although none were expected; they are shown, or were made.',
    next: 'Review the changes; to accept them, run the command without the flag.',
  },
  'CAIRN-UNEXPECTED-REPLACEMENT': {
    exit: 'unexpectedChanges',
    cause: 'A resource needs a new object although `--expect-no-replacements` was given; it stays as it is.',
    next: 'Undo the change that needs a new object, or run the command without the flag.',
  },
  'CAIRN-UNEXPECTED-DELETE': {
    exit: 'unexpectedChanges',
    cause:
      'The program no longer registers a resource although `--expect-no-deletes` was given; it stays as it is.',
    next: 'Register the resource again, or run the command without the flag.',
  },
  // saved plans
  'CAIRN-PLAN-INVALID': {
    exit: 'usage',
    cause: 'The file is not a plan, or is the plan of another stack.',
    next: 'Save a plan with `cairn preview --save-plan FILE`.',
  },
  'CAIRN-PLAN-VIOLATED': {
    exit: 'general',
    cause: 'The operation would do something that the plan does not allow.',
    next: 'Preview again and save a new plan; nothing beyond the plan was done.',
  },
  'CAIRN-PLAN-RESUMED': {
    exit: 'general',
    cause: 'Tells whether a resume continues from the plan or runs the program.',
    next: 'Nothing; the message is for information.',
  },
  // policies and snippets
  'CAIRN-SNIPPET': {
    exit: 'usage',
    cause: 'A snippet cannot be used: its code, its references or its id.',
    next: 'Correct the snippet; nothing was changed.',
  },
  'CAIRN-POLICY-PACK': {
    exit: 'general',
    cause: 'A policy pack could not be loaded or run.',
    next: 'Correct the pack or its configuration; run `npm install` in its directory if packages are missing.',
  },
  'CAIRN-POLICY-VIOLATION': {
    exit: 'policy',
    cause: 'A resource, or the stack, breaks a mandatory policy.',
    next: 'Change the resource so that it complies with the policy.',
  },
  // the agent
  'CAIRN-AGENT-INVALID': {
    exit: 'usage',
    cause: 'The file of the agent is malformed: a stack, a source, a schedule or a policy. Nothing was run.',
    next: 'Correct the lines that the message names.',
  },
  'CAIRN-AGENT-SOURCE': {
    exit: 'general',
    cause: 'The agent cannot read the program of a stack from its repository, archive or folder.',
    next: 'Check the address and the credentials, of a repository with `git ls-remote`; the agent tries again at its next look.',
  },
  'CAIRN-AGENT-FORGE': {
    exit: 'general',
    cause:
      'The agent cannot call the API of a forge: it is not reached, refuses the token, or has answered too often.',
    next: 'Check the token and the address of the forge in the file; the agent tries again by itself.',
  },
  'CAIRN-AGENT-LEASE': {
    exit: 'conflict',
    cause: 'Another agent has taken over the folder of this one, because its lease was not renewed in time.',
    next: 'Nothing; the other agent continues its runs. Look for a machine that sleeps, or for a slow disk.',
  },
  'CAIRN-AGENT-FOLDER': {
    exit: 'conflict',
    cause:
      'Another agent of a service works in the folder of this one: two agents on a machine have one name.',
    next: 'Give each agent a `--name` of its own, or a folder of its own with `--state`.',
  },
  // outcomes of operations
  'CAIRN-CANCELLED': {
    exit: 'cancelled',
    cause: 'The operation was interrupted or cancelled.',
    next: 'Continue it with `cairn resume`, or roll it back with `cairn rollback`.',
  },
  'CAIRN-WAITING': {
    exit: 'waiting',
    cause: 'The operation is waiting for an approval or an answer.',
    next: 'Give it with `cairn approve` or `cairn change resolve`, then `cairn resume`.',
  },
  'CAIRN-TIMEOUT': {
    exit: 'timeout',
    cause: 'Something did not finish in time.',
    next: 'Look at the logs of the tasks that the message names, then try again.',
  },
  'CAIRN-DESCRIPTORS': {
    exit: 'general',
    cause:
      'The process has as many open files, pipes and sockets as it may have, and none was closed in time.',
    next: 'Raise the limit, for instance with `ulimit -n 4096`, or lower --parallel.',
  },
  'CAIRN-INTERNAL': {
    exit: 'internal',
    cause: 'A bug in Cairn.',
    next: 'Report it with the message and the output of `-v`; the state contains everything that was recorded.',
  },
} as const satisfies Record<string, CodeRow>;

/** A code of the table. */
export type ErrorCode = keyof typeof codes;

/** Returns the exit code for a diagnostic's code. A code outside the table counts as a general failure. */
export function exitCodeFor(code: string): number {
  return Object.hasOwn(codes, code) ? EXIT[codes[code as ErrorCode].exit] : EXIT.general;
}
