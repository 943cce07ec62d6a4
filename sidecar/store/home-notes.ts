/**
 * State that home keeps between starts, such as when it last announced a start or the assistant's name (M-27, O-58, O-22). A note
 * is `public`, identifies nobody, or is sealed. Must not hold other words of the owner: those are sealed in directive files.
 * Called by home-database.ts and the parts of home that keep a note.
 */

import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import { parseJson } from '../../kernel/flow/json.ts'
import { once } from '../../kernel/flow/once.ts'
import { PERSONA_NAME, PERSONA_STYLE } from '../persona/persona.ts'
import { notes } from './home-schema.ts'

const word = z.nullable(
  z.strictObject({
    do: z.enum(['pause', 'resume']),
    at: z.int(),
    sink: z.string(),
    said: z.exactOptional(z.int()),
  }),
)

const SHAPES = {
  /** When a start was last announced to the owner, epoch milliseconds. */
  restartTold: z.int(),
  /** The version that started last, and the digests of the templates and prompts that it shipped. */
  software: z.strictObject({ version: z.string(), files: z.record(z.string(), z.string()) }),
  /** When long-term memory was last consolidated, epoch milliseconds. */
  consolidated: z.int(),
  persona: z.strictObject({ name: z.nullable(PERSONA_NAME), style: z.nullable(PERSONA_STYLE) }),
  /** A chat whose activation is in progress (H-13). */
  activating: z.nullable(
    z.strictObject({ channel: z.string(), question: z.nullable(z.string()), sink: z.nullable(z.string()) }),
  ),
  /** Chats to be disconnected after the owner's approval, and the chat in which the result is reported. */
  leaving: z.array(z.strictObject({ channel: z.string(), sink: z.string() })),
  /**
   * Services whose credentials are to be deleted after the owner's approval, by manifest name, and the chat in which the result
   * is reported.
   */
  removing: z.array(z.strictObject({ service: z.string(), sink: z.string() })),
  /** The owner's own commands whose clash with a built-in name has been announced. */
  namesTaken: z.array(z.string()),
  /** The owner's last pause or resume order, at each place. */
  pause: z.strictObject({
    home: word,
    edge: word,
    over: z.nullable(z.strictObject({ since: z.int(), until: z.int() })),
  }),
  /** Minutes from midnight. */
  workingHours: z.strictObject({ from: z.int(), to: z.int() }),
  questions: z.enum(['answered', 'skipped']),
  /** SHA-256 of files in the health folder that were imported or recognised as no export. */
  healthFiles: z.array(z.string()),
  /** The owner's sender name, addresses and signature for mail: sealed, in base64. */
  mailSender: z.string(),
  /** Web services that wait for an approval, and former versions: sealed, in base64. */
  webservices: z.string(),
  /** Digests of approved web services that are not in config.toml yet. */
  webservicesAgreed: z.array(z.string()),
} as const

type Shapes = typeof SHAPES
export type SealedNoteName = 'mailSender' | 'webservices'
export type Note<K extends keyof Shapes> = z.output<Shapes[K]>

export interface HomeNotes {
  /** Null if the note does not exist or cannot be read. */
  read<K extends keyof Shapes>(name: K): Note<K> | null
  write<K extends keyof Shapes>(name: K, value: Note<K>): void
}

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`, the set of home. */
export function createHomeNotes(db: SyncDatabase): HomeNotes {
  const named = once(() =>
    db
      .select()
      .from(notes)
      .where(eq(notes.name, sql.placeholder('name')))
      .prepare(),
  )
  return {
    read(name) {
      const row = named().get({ name })
      const parsed = z.safeParse(SHAPES[name], row && parseJson(row.value))
      return parsed.success ? (parsed.data as Note<typeof name>) : null
    },
    write(name, value) {
      const row = { name, value: JSON.stringify(value) }
      db.insert(notes).values(row).onConflictDoUpdate({ target: notes.name, set: row }).run()
    },
  }
}
