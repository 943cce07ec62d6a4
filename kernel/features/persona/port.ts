/** The assistant's name and style, as its place stores them. Types only. */
import type { Result } from '../../flow/verdict.ts'

export interface PersonaPort {
  /** `fixed`: the configuration sets the name. */
  read(): { readonly name: string; readonly fixed: boolean }
  /** Refusal: persona_name for text that is no name. */
  call(name: string): Result<true>
  /**
   * Sets the style of speaking. Refusals: persona_name for text that is no style, persona_fixed if the configuration sets one.
   */
  speak(style: string): Result<true>
}
