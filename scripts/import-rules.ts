/**
 * The import rule as data (DESIGN §5, STYLE 3 and 15): who may import what, and which few files may name the functions that
 * unwrap, label, lower or send. Each row says why. Must not read files: source-check.ts applies these to the
 * tree, for `npm run check` and for test/imports.test.ts.
 */

/** A module name: a project path (`kernel/flow/`), a package (`zod/mini`) or a scheme (`node:`); matched by prefix. */
export interface Forbidden {
  readonly module: string
  readonly why: string
}

export interface FolderRule {
  readonly folder: string
  readonly may: readonly string[]
  /** Told when something is imported that is neither in `may` nor in `never`. */
  readonly why: string
  /** Imports that somebody will be tempted by, each with its own reason. */
  readonly never: readonly Forbidden[]
}

const FAKES: Forbidden = {
  module: 'test/',
  why: 'a fake that ships is a door: production never knows that tests exist',
}
const NODE: Forbidden = {
  module: 'node:',
  why: 'this code also runs inside workerd, where Node is an imitation',
}
const CLOUDFLARE: Forbidden = {
  module: 'cloudflare:',
  why: 'this code also runs at home, where there is no Cloudflare',
}
const HOME: Forbidden = {
  module: 'sidecar/',
  why: 'home holds the keys: edge and home meet only in kernel/tunnel, over a wire',
}

export const FOLDER_RULES: readonly FolderRule[] = [
  {
    folder: 'kernel/',
    may: ['kernel/', 'zod/mini', '@noble/', '@scure/'],
    why: 'the law is pure and portable: what it imports could do I/O, and would be part of what has to be trusted',
    never: [
      NODE,
      CLOUDFLARE,
      FAKES,
      HOME,
      { module: 'integrations/', why: 'the law must not depend on the world that it judges' },
      { module: 'zod', why: 'zod/mini is a tenth of the size, and it is in the bundle of the edge' },
    ],
  },
  {
    folder: 'integrations/',
    may: [
      'kernel/',
      'integrations/',
      'zod/mini',
      '@anthropic-ai/sdk/',
      // Types alone: nothing of it runs.
      '@grammyjs/types',
      '@noble/',
      'chrono-node',
      'drizzle-orm',
      'ipaddr.js',
      'ollama/browser',
      'openai/',
    ],
    why: 'an adapter runs at both places, so each of its packages must be known to run in workerd and in Node',
    never: [
      NODE,
      CLOUDFLARE,
      FAKES,
      HOME,
      { module: 'worker/', why: 'an adapter is plugged in by a place and does not know which' },
      { module: 'durable-objects/', why: 'an adapter is plugged in by a place and does not know which' },
      {
        module: 'drizzle-orm/durable-sqlite',
        why: 'a place opens its database; a store takes any synchronous one',
      },
    ],
  },
  {
    folder: 'migrations/',
    may: ['integrations/store/migrate.ts'],
    why: 'generated data: it may name its own type and nothing else',
    never: [],
  },
  {
    folder: 'durable-objects/',
    may: [
      'kernel/',
      'integrations/',
      'migrations/',
      'templates/',
      'durable-objects/',
      'worker/',
      'cloudflare:workers',
      'drizzle-orm/',
      '@noble/',
      'smol-toml',
      'zod/mini',
    ],
    why: 'every package here is in the bundle of the edge and starts with it',
    never: [HOME, FAKES, NODE],
  },
  {
    folder: 'worker/',
    may: [
      'kernel/',
      'integrations/',
      'migrations/',
      'templates/',
      'durable-objects/',
      'worker/',
      'cloudflare:workers',
      '@noble/',
      'drizzle-orm',
      'hono',
      'http-message-sig',
      'smol-toml',
      'zod/mini',
    ],
    why: 'every package here is in the bundle of the edge and starts with it',
    never: [HOME, FAKES, NODE],
  },
  {
    folder: 'sidecar/',
    may: [
      'kernel/',
      'integrations/',
      'migrations/',
      'sidecar/',
      'node:',
      '@napi-rs/keyring',
      '@noble/',
      '@scure/',
      'commander',
      'croner',
      'drizzle-orm',
      '@mozilla/readability',
      'http-message-sig',
      'linkedom',
      'smol-toml',
      'undici',
      'ws',
      'zod/mini',
    ],
    why: 'home holds every key that matters: each package in its process could read them',
    never: [
      CLOUDFLARE,
      FAKES,
      { module: 'worker/', why: 'edge and home meet only in kernel/tunnel, over a wire' },
      { module: 'durable-objects/', why: 'edge and home meet only in kernel/tunnel, over a wire' },
      { module: 'scripts/', why: 'scripts start the product; the product does not know them' },
    ],
  },
]

/** What may not be in a bundle, however deep the chain of imports that brings it there. */
export interface ReachRule {
  readonly entry: string
  readonly never: readonly Forbidden[]
}

const TOO_LARGE = 'the edge never runs it, and every kilobyte of the bundle is paid for at each cold start'

/** P-31: the words that a message is made of must not weigh on what may be done with it. */
const READING: Forbidden = {
  module: 'kernel/prompt/signal/classify.ts',
  why: 'how a message is meant shapes the tone of an answer; a policy that knew it could be talked into something',
}

export const REACH_RULES: readonly ReachRule[] = [
  {
    entry: 'worker/index.ts',
    never: [
      { module: 'linkedom', why: TOO_LARGE },
      { module: '@mozilla/readability', why: TOO_LARGE },
      { module: 'undici', why: 'the edge has its own fetch' },
      { module: 'ws', why: 'the edge has its own WebSocket' },
      { module: 'commander', why: TOO_LARGE },
      { module: 'ollama', why: 'a local model is at home, and the edge asks home for it' },
    ],
  },
  ...[
    'kernel/flow/policy.ts',
    'kernel/flow/declassify.ts',
    'kernel/pipeline/route.ts',
    'kernel/pipeline/authorize.ts',
    'kernel/pipeline/call-verdict.ts',
    'kernel/pipeline/reach.ts',
    'kernel/pipeline/destination.ts',
    'kernel/task/approval.ts',
    'kernel/machine/machine.ts',
  ].map((entry) => ({ entry, never: [READING] })),
]

/** A function, class or member that only the named files may mention. Prefix ends in `/` for a folder. */
export interface SiteRule {
  /** An identifier (`openForSink`), or the end of a member path (`.tools.run`). */
  readonly name: string
  /** Folders whose files are held to it. */
  readonly within: readonly string[]
  readonly only: readonly string[]
  readonly why: string
}

const PRODUCTION = ['kernel/', 'integrations/', 'durable-objects/', 'worker/', 'sidecar/', 'scripts/']
const LABELED = 'kernel/flow/labeled.ts'

export const SITE_RULES: readonly SiteRule[] = [
  {
    name: 'setTimeout',
    within: ['durable-objects/'],
    // They hold an answer back while somebody's request, or a model call, is under way.
    only: ['durable-objects/readers.ts', 'durable-objects/models.ts'],
    why: 'an object with a timer does not sleep, and one that is evicted forgets it: what comes later is an alarm',
  },
  {
    name: 'setInterval',
    within: ['durable-objects/'],
    only: [],
    why: 'an object with a timer does not sleep, and one that is evicted forgets it: what comes later is an alarm',
  },
  {
    name: 'openForPrompt',
    within: PRODUCTION,
    only: [LABELED, 'kernel/prompt/finalize.ts'],
    why: 'every prompt comes from finalize, which asks the policy for the model that will read it',
  },
  {
    name: 'callModel',
    within: PRODUCTION,
    only: ['kernel/inference/router.ts', 'kernel/pipeline/model-call.ts'],
    why: 'every call says whose prompt it is and carries what the assistant knows of itself',
  },
  {
    name: 'classifySignal',
    within: PRODUCTION,
    only: ['kernel/prompt/', 'kernel/pipeline/guidance.ts'],
    why: READING.why,
  },
  {
    name: '.manner',
    within: ['kernel/'],
    only: ['kernel/pipeline/guidance.ts', 'kernel/pipeline/own-commands.ts', 'kernel/runtime/intake.ts'],
    why: 'how the owner wants to be answered is for the words of an answer; no verdict may read it',
  },
  {
    name: 'openForTool',
    within: PRODUCTION,
    only: [LABELED, 'kernel/pipeline/invoke.ts'],
    why: 'arguments are opened for one authorised call, where its token is checked',
  },
  {
    name: 'openForSink',
    within: PRODUCTION,
    only: [LABELED, 'kernel/pipeline/deliver.ts'],
    why: 'nothing leaves but through the label check and the output guard of deliver',
  },
  {
    name: 'Labeled.reveal',
    within: PRODUCTION,
    only: [LABELED],
    why: 'the one door to a labelled value; everyone else names a reader',
  },
  {
    name: 'new Labeled',
    within: PRODUCTION,
    only: [LABELED],
    why: 'a label is given by createLabeled, whose callers are listed here',
  },
  {
    name: 'createLabeled',
    within: PRODUCTION,
    only: [
      LABELED,
      'kernel/flow/provenance.ts',
      'kernel/flow/record.ts',
      'kernel/flow/declassify.ts',
      'kernel/vault/records.ts',
    ],
    why: 'whoever labels a value could label it too low: receipt, records, sealed storage and nobody else',
  },
  {
    name: 'insideOf',
    within: PRODUCTION,
    only: [LABELED, 'kernel/flow/record.ts', 'kernel/flow/declassify.ts', 'kernel/vault/records.ts'],
    why: 'it asks no policy: for records, which keep the label, and for sealed storage',
  },
  {
    name: 'new LabeledRecord',
    within: PRODUCTION,
    only: ['kernel/flow/record.ts'],
    why: 'a record is made where its fields are validated',
  },
  {
    name: 'decayField',
    within: PRODUCTION,
    only: ['kernel/flow/taint.ts', 'kernel/flow/record.ts'],
    why: 'the single way by which taint falls: a declared structured field of a record',
  },
  {
    name: 'declassify',
    within: PRODUCTION,
    only: ['kernel/flow/declassify.ts', 'kernel/pipeline/kernel-effects.ts'],
    why: 'the only way a label falls: for one approved reply, whose approval was spent on it',
  },
  {
    name: 'new FinalPrompt',
    within: PRODUCTION,
    only: ['kernel/prompt/finalize.ts'],
    why: 'a prompt that finalize did not make has skipped the identity, the sanitizer and the label check',
  },
  {
    name: 'new CarriedPrompt',
    within: PRODUCTION,
    only: ['kernel/prompt/carried.ts'],
    why: 'what crossed the tunnel is a prompt once its identity was found in its first bytes',
  },
  {
    name: 'receivePrompt',
    within: PRODUCTION,
    only: ['kernel/prompt/carried.ts', 'kernel/runtime/serve-model.ts'],
    why: 'a prompt that was not made here is for a model of the owner’s own alone, and home checks first who asks and its label',
  },
  {
    name: 'serveModelAsk',
    within: PRODUCTION,
    only: ['kernel/runtime/serve-model.ts', 'sidecar/edge-connection.ts'],
    why: 'it answers whoever holds the proven edge’s connection, and nobody else has a question for it',
  },
  {
    name: '.complete',
    within: ['kernel/', 'durable-objects/', 'worker/', 'sidecar/', 'scripts/'],
    only: ['kernel/inference/'],
    why: 'a model is called by the router, which chose it by the label',
  },
  {
    name: '.sender',
    within: ['kernel/'],
    only: ['kernel/pipeline/deliver.ts'],
    why: 'whoever holds the sender could send what the guard has not seen',
  },
  {
    name: '.tools.run',
    within: ['kernel/', 'durable-objects/', 'worker/', 'sidecar/', 'scripts/'],
    only: ['kernel/pipeline/invoke.ts'],
    why: 'a tool runs where its token is checked and counted, and nowhere else',
  },
  {
    name: 'issueCapability',
    within: PRODUCTION,
    only: ['kernel/task/capability.ts', 'kernel/pipeline/authorize.ts', 'kernel/runtime/serve.ts'],
    why: 'a token is a verdict in writing: of authorize, or of home on a call that the edge asks for',
  },
  {
    name: '.unseal',
    within: PRODUCTION,
    only: ['sidecar/secrets/'],
    why: 'a secret is in the clear for one call of one tool: the issuer and the renewer of credentials, nobody else',
  },
  {
    name: 'openClosedBox',
    within: PRODUCTION,
    only: [
      'integrations/sealing/sealed-box.ts',
      'sidecar/secrets/sealing-key.ts',
      'durable-objects/import-key.ts',
    ],
    why: 'what was sealed to home is opened at home, where the owner decides about it; a new edge opens the key of its own rows',
  },
  {
    name: '.credentials.issue',
    within: PRODUCTION,
    only: ['integrations/tools/port.ts'],
    why: 'a credential is given to a call whose token was checked, by who runs that call',
  },
]

/** Names that make the kernel impure. ES2024 alone is in scope there; these are in it, or come back by a cast. */
export const IMPURE_NAMES: readonly { readonly name: string; readonly why: string }[] = [
  { name: 'Date.now', why: 'the time is an argument, or nothing could be tested or replayed' },
  { name: 'new Date()', why: 'the time is an argument, or nothing could be tested or replayed' },
  { name: 'Math.random', why: 'ids and randomness are powers, handed in by the place' },
  { name: 'fetch', why: 'the kernel does no I/O' },
  { name: 'crypto', why: 'randomness and keys are powers, handed in by the place' },
  { name: 'process', why: 'the kernel has no environment' },
  { name: 'globalThis', why: 'through it comes everything that is forbidden here' },
  { name: 'console', why: 'printing is I/O, and it prints content' },
  { name: 'setTimeout', why: 'waiting is the shell’s business: a task waits as a row' },
  { name: 'setInterval', why: 'waiting is the shell’s business: a task waits as a row' },
  { name: 'queueMicrotask', why: 'waiting is the shell’s business: a task waits as a row' },
  { name: 'eval', why: 'no text is ever code' },
  { name: 'Function', why: 'no text is ever code' },
]

/** Methods that read the machine's own time zone or language: the same input would give other words elsewhere. */
export const LOCAL_METHODS = /^(?:get|set)(?:Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)$|^toLocale/
