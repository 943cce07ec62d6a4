/**
 * The one schema of `config.toml` (S-01, DESIGN §8): every key that exists, with its default. Unknown keys are
 * refused, so a misspelt setting is never silently ignored; tables of channels have the schemas of their packages. Must not read
 * files. Called by config.ts.
 */
import * as z from 'zod/mini'
import { HOME_CHATS } from '../integrations/channels/index.ts'
import { budgetEntry } from '../integrations/models/budget-settings.ts'
import { DEFAULT_WINDOW, WINDOW_BOUNDS } from '../kernel/powers/history-window.ts'
import { OWN_COMMANDS_ENTRY } from '../kernel/task/command.ts'
import { PERSONA_NAME } from './persona.ts'
import { speechSchema } from './speech/speech-config.ts'
import { visionSchema } from './vision/vision-config.ts'

/** A setting's text, UTF-16 units: longer is a paste accident. */
const MAX_TEXT = 200
/** Contacts: each is a destination that needs no approval, and a list of thousands is nobody's decision. */
const MAX_CONTACTS = 500
const MAX_EXEMPT_ORIGINS = 16
/** Lines of what the owner prefers: they stand in every prompt that speaks with him. */
const MAX_PREFERENCES = 20
const MAX_ACCOUNTS = 16
/** Seconds: below ten nobody can read a card; above a day the world it describes has changed (F-05). */
const APPROVAL_SECONDS = { least: 10, most: 86_400, usual: 300 } as const

/** Chats of the owner's that home holds, by which it may ask him. */
const OWNER_CHAT_NAMES: readonly string[] = Object.freeze([...HOME_CHATS.keys()])

const turns = z.int().check(z.minimum(0), z.maximum(WINDOW_BOUNDS.turns))

const text = z.string().check(z.minLength(1), z.maxLength(MAX_TEXT))
const origin = text.check(z.refine(isOrigin, { error: 'must be an origin, such as https://example.com' }))
const folder = text.check(z.refine((value) => value.startsWith('/'), { error: 'must be an absolute path' }))
const timezone = text.check(z.refine(isTimezone, { error: 'must be a time zone, such as Europe/Berlin' }))

export const configSchema = z.strictObject({
  owner: z._default(
    z.strictObject({
      name: z.optional(text),
      timezone: z.optional(timezone),
      preferences: z._default(z.array(text).check(z.maxLength(MAX_PREFERENCES)), []),
    }),
    { preferences: [] },
  ),
  /** What the assistant is called, and how it speaks. */
  persona: z._default(z.strictObject({ name: z.optional(PERSONA_NAME), style: z.optional(text) }), {}),
  contacts: z._default(
    z.array(z.strictObject({ name: text, email: z.email() })).check(z.maxLength(MAX_CONTACTS)),
    [],
  ),
  edge: z._default(z.strictObject({ url: z.optional(origin) }), {}),
  /** Commands of the owner's own; one that is `open` is told to the edge with its bot (O-21). */
  commands: z._default(OWN_COMMANDS_ENTRY, []),
  tools: z._default(
    z.strictObject({
      google: z.optional(
        z.strictObject({
          base_url: z.optional(origin),
          account: z.optional(text),
          /** By its name a secret, so literal-secret.ts lets nothing but a `vault:` reference through. */
          credential: z.optional(text),
          /** Further mailboxes of the same service, each with a secret of its own (I-12). */
          accounts: z._default(
            z.array(z.strictObject({ name: text, credential: text })).check(z.maxLength(MAX_ACCOUNTS)),
            [],
          ),
        }),
      ),
      web: z.optional(z.strictObject({})),
    }),
    {},
  ),
  /** Looked into by models-config.ts: what is wrong in it costs the models, and not the start. */
  models: z.optional(z.unknown()),
  speech: z.optional(speechSchema),
  vision: z.optional(visionSchema),
  network: z._default(
    z.strictObject({
      exempt_origins: z._default(z.array(origin).check(z.maxLength(MAX_EXEMPT_ORIGINS)), []),
    }),
    { exempt_origins: [] },
  ),
  budget: z.optional(budgetEntry),
  documents: z._default(
    /** Reads PDFs where this system cannot wall off the process that takes them apart (bubblewrap). */
    z.strictObject({ without_sandbox: z._default(z.boolean(), false) }),
    { without_sandbox: false },
  ),
  backup: z._default(z.strictObject({ folder: z.optional(folder) }), {}),
  approvals: z._default(
    z.strictObject({
      timeout_seconds: z._default(
        z.int().check(z.minimum(APPROVAL_SECONDS.least), z.maximum(APPROVAL_SECONDS.most)),
        APPROVAL_SECONDS.usual,
      ),
      /** In the order in which they are tried; one that fails hands on to the next. */
      chats: z._default(
        z
          .array(z.enum(OWNER_CHAT_NAMES))
          .check(z.minLength(1), z.refine(isDistinct, { error: 'must name each chat once' })),
        [...OWNER_CHAT_NAMES],
      ),
    }),
    { timeout_seconds: APPROVAL_SECONDS.usual, chats: [...OWNER_CHAT_NAMES] },
  ),
  reader: z._default(z.strictObject({ pass: z._default(z.boolean(), false) }), { pass: false }),
  session: z._default(
    z.strictObject({
      planner_turns: z._default(turns, DEFAULT_WINDOW.plannerTurns),
      writer_turns: z._default(turns, DEFAULT_WINDOW.writerTurns),
      history_tokens: z._default(
        z.int().check(z.minimum(0), z.maximum(WINDOW_BOUNDS.tokens)),
        DEFAULT_WINDOW.tokens,
      ),
    }),
    {
      planner_turns: DEFAULT_WINDOW.plannerTurns,
      writer_turns: DEFAULT_WINDOW.writerTurns,
      history_tokens: DEFAULT_WINDOW.tokens,
    },
  ),
})

export type ParsedConfig = z.output<typeof configSchema>

/** Scheme, host and port and nothing else: a path or a user name in it would never match a request's origin. */
function isOrigin(value: string): boolean {
  const url = URL.parse(value)
  return (
    url !== null && /^https?:$/.test(url.protocol) && (value === url.origin || value === `${url.origin}/`)
  )
}

function isDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}

function isTimezone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
