/**
 * The import rule as data (DESIGN §5, STYLE 3 and 15): who may import what, and which names the kernel must not use,
 * each with a reason. Must not read files: source-check.ts applies it, for `npm run check` and for
 * test/imports.test.ts.
 */

/** A module name: a project path (`kernel/flow/`), a package (`zod/mini`) or a scheme (`node:`); matched by prefix. */
export interface Forbidden {
  readonly module: string
  readonly why: string
}

export interface FolderRule {
  readonly folder: string
  /** Limits the rule to files of the folder with a matching path. The first rule that matches a file applies. */
  readonly part?: RegExp
  readonly may: readonly string[]
  /** Shown for an import that is neither in `may` nor in `never`. */
  readonly why: string
  /** Imports that are likely to be tried, each with its own reason. */
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

/** Imports allowed in every file of a channel. */
const CHANNEL_MAY = [
  ...['kernel/flow/', 'kernel/powers/', 'kernel/task/', 'kernel/tool/', 'kernel/wording/'],
  'kernel/reasons.ts',
  // The commands in a menu.
  'kernel/operations/commands.ts',
  // Cards, chats, files, drafts and progress as channels get them, and their words.
  'kernel/features/approvals/card/card.ts',
  'kernel/features/files/file-port.ts',
  'kernel/features/deliveries/work-port.ts',
  // The result of a tap.
  ...['kernel/runtime/shell-port.ts', 'kernel/features/approvals/asking.ts'],
  ...['integrations/channels/', 'integrations/http/', 'zod/mini', 'grammy/', '@noble/'],
]
const CHANNEL_NEVER: readonly Forbidden[] = [
  {
    module: 'kernel/vault/',
    why: 'a place resolves its credential and hands it over for one call (H-02)',
  },
  ...['kernel/inference/', 'kernel/prompt/', 'integrations/models/'].map((module) => ({
    module,
    why: 'a channel asks no model (H-01)',
  })),
  {
    module: 'kernel/pipeline/',
    why: 'who is answered, and with what, is not for a channel to say (H-01)',
  },
  { module: 'integrations/store/', why: 'another session is nothing of its own (H-01)' },
]

const KERNEL_RULE: Omit<FolderRule, 'folder'> = {
  // For the edge, package.json maps `#feature-words`, a generated table, to a smaller one, and the effects of home to none.
  may: [
    'kernel/',
    '#feature-words',
    '#home-actions',
    '#home-effects',
    '#home-ports',
    'zod/mini',
    '@noble/',
    '@scure/',
  ],
  why: 'the law is pure and portable: what it imports could do I/O, and would be part of what has to be trusted',
  never: [
    NODE,
    CLOUDFLARE,
    FAKES,
    HOME,
    { module: 'integrations/', why: 'the law must not depend on the world that it judges' },
    { module: 'zod', why: 'zod/mini is a tenth of the size, and it is in the bundle of the edge' },
  ],
}
const PIPELINE: Forbidden = {
  module: 'kernel/pipeline/',
  why: 'the pipeline drives this folder and imports it: what both need lies below, or is handed in as a port',
}

export const FOLDER_RULES: readonly FolderRule[] = [
  // Below the pipeline, so that these folders do not import each other in a circle again.
  ...['kernel/features/', 'kernel/call/', 'kernel/model-call/'].map((folder) => ({
    ...KERNEL_RULE,
    folder,
    never: [PIPELINE, ...KERNEL_RULE.never],
  })),
  { ...KERNEL_RULE, folder: 'kernel/' },
  {
    folder: 'integrations/channels/',
    // Files that only home bundles: listeners, and the set-up by command.
    part: /\/(?:home|setup)[^/]*\.ts$/,
    may: [
      ...CHANNEL_MAY,
      // Sockets, timers, the service's client, and the channel's own table in home's database.
      ...['node:', 'ws', 'drizzle-orm', 'integrations/store/database/database.ts'],
    ],
    why: 'a channel gets from home what it needs, by ports: what it imported could hold keys',
    never: [CLOUDFLARE, FAKES, HOME, ...CHANNEL_NEVER],
  },
  {
    folder: 'integrations/channels/',
    may: CHANNEL_MAY,
    why: 'a channel authenticates, normalises and sends what it is told to, and decides nothing (H-01)',
    never: [NODE, CLOUDFLARE, FAKES, HOME, ...CHANNEL_NEVER],
  },
  {
    folder: 'integrations/',
    may: [
      'kernel/',
      'integrations/',
      // Generated tables of this folder, which are smaller for the edge, and readers that only home has (package.json).
      '#easter',
      '#either-way',
      '#event-days',
      '#home-readings',
      '#noted-event',
      '#typed/',
      '#tool-words',
      'zod/mini',
      '@anthropic-ai/sdk/',
      '@noble/',
      'chrono-node',
      'drizzle-orm',
      'grammy/',
      'ipaddr.js',
      'ollama/browser',
      'openai/',
      'postal-mime',
      'smol-toml',
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
    may: ['integrations/store/schema/migrate.ts'],
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
      'cloudflare:workers',
      'drizzle-orm/',
      '@noble/',
      'http-message-sig',
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
    folder: 'sidecar/process/load-bundle.js',
    may: ['node:', '?'],
    why: 'it loads the one file that a program was made into, and runs before all else',
    never: [],
  },
  {
    folder: 'sidecar/process/make-bundle.ts',
    may: ['node:', 'esbuild', 'sidecar/process/load-bundle.js'],
    why: 'it makes a bundle in a process of its own',
    never: [],
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
      'hono',
      '@mozilla/readability',
      'http-message-sig',
      'ical.js',
      'imapflow',
      'linkedom',
      'nodemailer/lib/',
      'oauth4webapi',
      'postal-mime',
      'smol-toml',
      'undici',
      'unpdf',
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

/** What a bundle must not contain, through any chain of imports. */
export interface ReachRule {
  readonly entry: string
  readonly never: readonly Forbidden[]
}

const TOO_LARGE = 'the edge never runs it, and every kilobyte of the bundle is paid for at each cold start'

/** P-31: how a message is phrased must not influence what may be done with it. */
export const READING: Forbidden = {
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
      ...['imapflow', 'nodemailer'].map((module) => ({ module, why: 'mail is read and sent at home alone' })),
      { module: 'ical.js', why: 'calendars are read at home alone' },
      { module: 'commander', why: TOO_LARGE },
      { module: 'ollama', why: 'a local model is at home, and the edge asks home for it' },
    ],
  },
  ...[
    'kernel/flow/policy.ts',
    'kernel/flow/declassify.ts',
    'kernel/features/people/route.ts',
    'kernel/pipeline/authorize.ts',
    'kernel/call/call-verdict.ts',
    'kernel/call/disclosure.ts',
    'kernel/task/approval.ts',
    'kernel/machine/machine.ts',
  ].map((entry) => ({ entry, never: [READING] })),
]

/** Folders without import circles, including type imports. */
export const NO_CIRCLES: readonly Forbidden[] = ['kernel/', 'integrations/', 'sidecar/'].map((module) => ({
  module,
  why: 'it imports this file in turn, so that neither can be read, tested or moved alone: move what both need below them',
}))

/** Names that make the kernel impure: they are in the ES2024 types that its compiler has, or can be reached by a cast. */
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

/**
 * Methods that depend on the machine's time zone or language: the same input would give different text on another
 * machine.
 */
export const LOCAL_METHODS = /^(?:get|set)(?:Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)$|^toLocale/
