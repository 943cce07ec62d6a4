/**
 * A note of home that contains the owner's words and is therefore stored sealed. Must not cache the opened value. Called by
 * webservices.ts and sender-store.ts.
 */
import * as z from 'zod/mini'
import { parseJson } from '../../kernel/flow/json.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { SealAddress, Sealer } from '../../kernel/vault/sealer.ts'
import type { HomeNotes, SealedNoteName } from './home-notes.ts'

export interface SealedNotes {
  readonly notes: Pick<HomeNotes, 'read' | 'write'>
  readonly sealer: Pick<Sealer, 'seal' | 'open'>
}

export interface SealedNote<T> {
  /** Null if there is none, or it cannot be opened or read. */
  read(): Promise<T | null>
  write(value: T): Promise<void>
}

interface NoteInput<S extends z.core.$ZodType> {
  readonly name: SealedNoteName
  /** Name of the record that the seal is bound to. */
  readonly record: string
  readonly shape: S
}

export function createSealedNote<S extends z.core.$ZodType>(
  { notes, sealer }: SealedNotes,
  { name, record, shape }: NoteInput<S>,
): SealedNote<z.output<S>> {
  const address: SealAddress = {
    ...{ store: 'memory', principal: OWNER_PRINCIPAL, record, label: 'sensitive', version: 1 },
  }
  return {
    async read() {
      const sealed = notes.read(name)
      const plain = sealed === null ? null : await sealer.open(address, Buffer.from(sealed, 'base64'))
      if (plain?.ok !== true) return null
      const parsed = z.safeParse(shape, parseJson(new TextDecoder().decode(plain.value)))
      return parsed.success ? parsed.data : null
    },
    async write(value) {
      const bytes = await sealer.seal(address, new TextEncoder().encode(JSON.stringify(value)))
      notes.write(name, Buffer.from(bytes).toString('base64'))
    },
  }
}
