/**
 * Every reason that something is refused for or told of, joined from the folders that give them, lower ones first; a new one
 * forces a sentence for people (wording/words.ts). Must import nothing but those lists. Called by flow/verdict.ts, and by
 * whoever reads a code from outside.
 */

import { CALL_REASONS } from './call/reasons.ts'
import { DIRECTIVE_REASONS } from './directives/reasons.ts'
import { ADMIN_REASONS } from './features/admin/reasons.ts'
import { APPROVAL_REASONS } from './features/approvals/reasons.ts'
import { CHANGE_REASONS } from './features/changes/reasons.ts'
import { CONTACT_REASONS } from './features/contacts/reasons.ts'
import { CREDENTIAL_REASONS } from './features/credentials/reasons.ts'
import { DELIVERY_REASONS } from './features/deliveries/reasons.ts'
import { GRANT_REASONS } from './features/grants/reasons.ts'
import { HISTORY_REASONS } from './features/history/reasons.ts'
import { IDENTITY_REASONS } from './features/identities/reasons.ts'
import { JOB_REASONS } from './features/jobs/reasons.ts'
import { LANGUAGE_REASONS } from './features/language/reasons.ts'
import { MEMORY_REASONS } from './features/memory/reasons.ts'
import { MODEL_REASONS } from './features/models/reasons.ts'
import { PEOPLE_REASONS } from './features/people/reasons.ts'
import { PERSONA_REASONS } from './features/persona/reasons.ts'
import { PLACE_REASONS } from './features/places/reasons.ts'
import { QUIET_REASONS } from './features/quiet/reasons.ts'
import { REMINDER_REASONS } from './features/reminders/reasons.ts'
import { SCHEDULED_REASONS } from './features/scheduled/reasons.ts'
import { SENDER_REASONS } from './features/sender/reasons.ts'
import { USAGE_REASONS } from './features/usage/reasons.ts'
import { ZONE_REASONS } from './features/zone/reasons.ts'
import { FLOW_REASONS } from './flow/reasons.ts'
import { INFERENCE_REASONS } from './inference/reasons.ts'
import { MODEL_CALL_REASONS } from './model-call/reasons.ts'
import { OPERATION_REASONS } from './operations/reasons.ts'
import { PROMPT_REASONS } from './prompt/reasons.ts'
import { TASK_REASONS } from './task/reasons.ts'
import { TEMPLATE_REASONS } from './template/reasons.ts'
import { TOOL_REASONS } from './tool/reasons.ts'
import { TUNNEL_REASONS } from './tunnel/reasons.ts'
import { VAULT_REASONS } from './vault/reasons.ts'

export const REASON_CODES = Object.freeze([
  ...FLOW_REASONS,
  ...TASK_REASONS,
  ...VAULT_REASONS,
  ...TOOL_REASONS,
  ...TEMPLATE_REASONS,
  ...PROMPT_REASONS,
  ...INFERENCE_REASONS,
  ...DIRECTIVE_REASONS,
  ...TUNNEL_REASONS,
  ...OPERATION_REASONS,
  ...ADMIN_REASONS,
  ...APPROVAL_REASONS,
  ...CHANGE_REASONS,
  ...GRANT_REASONS,
  ...IDENTITY_REASONS,
  ...MEMORY_REASONS,
  ...MODEL_REASONS,
  ...REMINDER_REASONS,
  ...QUIET_REASONS,
  ...SCHEDULED_REASONS,
  ...SENDER_REASONS,
  ...ZONE_REASONS,
  ...LANGUAGE_REASONS,
  ...PERSONA_REASONS,
  ...CONTACT_REASONS,
  ...JOB_REASONS,
  ...PEOPLE_REASONS,
  ...PLACE_REASONS,
  ...CREDENTIAL_REASONS,
  ...DELIVERY_REASONS,
  ...HISTORY_REASONS,
  ...USAGE_REASONS,
  ...CALL_REASONS,
  ...MODEL_CALL_REASONS,
] as const)

export type ReasonCode = (typeof REASON_CODES)[number]

export function isReasonCode(input: unknown): input is ReasonCode {
  return typeof input === 'string' && (REASON_CODES as readonly string[]).includes(input)
}
