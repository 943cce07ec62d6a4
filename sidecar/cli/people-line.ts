/** What a terminal may ask of a line about paired people (B-04), and how its answers are read. Must not decide. Called by the links. */
import * as z from 'zod/mini'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { Dismissed, InvitationRequest, Invited, PersonView } from '../../kernel/runtime/people.ts'

/** Home's alone: the open line refuses each with approval_place_too_low. */
export interface PeopleLine {
  list(): Promise<Result<readonly PersonView[]>>
  /** `message` names this very line: the yes to its card is said in another. */
  invite(asked: InvitationRequest & { readonly message: string }): Promise<Result<Invited>>
  revoke(agreement: string): Promise<Result<Dismissed>>
}

const text = z.string()

export const peopleAnswer = z.array(
  z.object({
    ...{ id: text, name: text, handle: text, principal: z.nullable(text), sink: z.nullable(text) },
    state: z.enum(['asked', 'open', 'live', 'ended', 'revoked']),
    templates: z.array(text),
    ...{ createdAt: z.number(), openUntil: z.number(), expiresAt: z.number() },
  }),
)
export const invitedAnswer = z.object({ agreement: text, approval: text, say: text, openUntil: z.number() })
export const dismissedAnswer = z.object({ agreement: text, wasLive: z.boolean() })
