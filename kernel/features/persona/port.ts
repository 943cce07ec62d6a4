/** The assistant's name, as its place keeps it. Types only. */
import type { Result } from '../../flow/verdict.ts'

export interface PersonaPort {
  read(): { readonly name: string }
  /** Refusals: persona_name for what is no name; persona_fixed where the configuration says it. */
  call(name: string): Result<true>
}
