/** What a terminal may ask of a line about one bot for both lines. Must not decide. Called by the links. */
import type { Result } from '../../kernel/flow/verdict.ts'

/** Home's alone: the open line refuses each with approval_place_too_low. */
export interface TransportLine {
  /** `message` names this very line: the yes to its card is said in another. */
  acknowledge(message: string): Promise<Result<{ readonly approval: string }>>
  revoke(): Promise<Result<{ readonly grant: string }>>
}
