/**
 * What home notes of itself between its starts: when it last told of one, what its owner called it, and whether he was
 * asked (M-27, O-58, O-22). All of it is `public` or says nothing of anybody. Must not hold what he said otherwise: that is
 * sealed, in his directive files. Called by runtime.ts, powers.ts and first-questions.ts.
 */
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { SyncDatabase } from '../integrations/store/database.ts'
import { notes } from './notes-schema.ts'
import { PERSONA_NAME, PERSONA_STYLE } from './persona.ts'

const word = z.nullable(
  z.strictObject({
    do: z.enum(['pause', 'resume']),
    at: z.int(),
    sink: z.string(),
    said: z.exactOptional(z.int()),
  }),
)

const SHAPES = {
  /** When the owner was last told of a start, epoch milliseconds. */
  restartTold: z.int(),
  /** When long-term memory was last consolidated, epoch milliseconds. */
  consolidated: z.int(),
  persona: z.strictObject({ name: z.nullable(PERSONA_NAME), style: z.nullable(PERSONA_STYLE) }),
  /** A chat that its owner is activating (H-13). */
  activating: z.nullable(
    z.strictObject({ channel: z.string(), question: z.nullable(z.string()), sink: z.nullable(z.string()) }),
  ),
  /** Commands of his own that he was told bear a name of the program's. */
  namesTaken: z.array(z.string()),
  /** What he said of pausing, at each place. */
  pause: z.strictObject({
    home: word,
    edge: word,
    over: z.nullable(z.strictObject({ since: z.int(), until: z.int() })),
  }),
  questions: z.enum(['answered', 'skipped']),
} as const

type Shapes = typeof SHAPES
export type Note<K extends keyof Shapes> = z.output<Shapes[K]>

export interface HomeNotes {
  /** Null where there is none, or none that can be read. */
  read<K extends keyof Shapes>(name: K): Note<K> | null
  write<K extends keyof Shapes>(name: K, value: Note<K>): void
}

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`, home's own set. */
export function createHomeNotes(db: SyncDatabase): HomeNotes {
  return {
    read(name) {
      const row = db.select().from(notes).where(eq(notes.name, name)).get()
      const parsed = z.safeParse(SHAPES[name], decoded(row?.value))
      return parsed.success ? (parsed.data as Note<typeof name>) : null
    },
    write(name, value) {
      const row = { name, value: JSON.stringify(value) }
      db.insert(notes).values(row).onConflictDoUpdate({ target: notes.name, set: row }).run()
    },
  }
}

function decoded(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
