/** The assistant's name, as its place keeps it. Types only. */
import type { Result } from '../../flow/verdict.ts'

export interface PersonaPort {
  /** `fixed`: the configuration says it. */
  read(): { readonly name: string; readonly fixed: boolean }
  /** Refusal: persona_name for what is no name. */
  call(name: string): Result<true>
}
