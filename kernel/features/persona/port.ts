/** The assistant's name and its manner, as its place keeps them. Types only. */
import type { Result } from '../../flow/verdict.ts'

export interface PersonaPort {
  /** `fixed`: the configuration says it. */
  read(): { readonly name: string; readonly fixed: boolean }
  /** Refusal: persona_name for what is no name. */
  call(name: string): Result<true>
  /** How it shall speak. Refusals: persona_name for what is no manner, persona_fixed where the configuration says one. */
  speak(style: string): Result<true>
}
