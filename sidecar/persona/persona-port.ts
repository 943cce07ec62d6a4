/** The assistant's name and manner at home: a note, under the configuration. Called by wiring.ts. */
import * as z from 'zod/mini'
import type { PersonaPort } from '../../kernel/features/persona/port.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { OWN_NAME } from '../../kernel/self/snapshot.ts'
import type { Config } from '../config/config.ts'
import type { HomeNotes } from '../store/home-notes.ts'
import { PERSONA_NAME, PERSONA_STYLE } from './persona.ts'

interface PersonaPortInput {
  readonly config: Pick<Config, 'persona'>
  readonly notes: HomeNotes
  /** Tells the self-description, and the edge. */
  readonly changed: () => void
}

export function createPersonaPort({ config: { persona }, notes, changed }: PersonaPortInput): PersonaPort {
  const nameNow = (): string => persona.name ?? notes.read('persona')?.name ?? OWN_NAME
  return {
    read: () => ({
      name: nameNow(),
      fixed: persona.name !== null,
    }),
    call(said) {
      const name = z.safeParse(PERSONA_NAME, said)
      if (!name.success) return err('persona_name')
      notes.write('persona', { name: name.data, style: notes.read('persona')?.style ?? null })
      changed()
      return ok(true)
    },
    speak(said) {
      if (persona.style !== null) return err('persona_fixed')
      const style = z.safeParse(PERSONA_STYLE, said)
      if (!style.success) return err('persona_name')
      notes.write('persona', { name: notes.read('persona')?.name ?? null, style: style.data })
      changed()
      return ok(true)
    },
  }
}
