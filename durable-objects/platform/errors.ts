/**
 * Error responses of the edge: `{error: {code, message}}`, in words, never a stack, an id or a value. Called by every route.
 */
import { err, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { wordsFor } from '../../kernel/wording/words.ts'

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 423 | 426 | 429 | 500 | 503 | 507

/** Reasons that a caller can act on; every other one is reported as an internal fault. */
const STATUS: Partial<Readonly<Record<ReasonCode, Status>>> = {
  signature_invalid: 401,
  event_stale: 401,
  event_malformed: 400,
  event_too_large: 413,
  principal_not_allowed: 403,
  template_name_taken: 409,
  template_none_matches: 403,
  place_not_cleared: 409,
  task_unknown: 404,
  nothing_found: 404,
  change_stays: 409,
  choice_ambiguous: 409,
  field_too_large: 413,
  tool_arguments_invalid: 400,
  operation_unknown: 404,
  tool_unavailable: 403,
  memory_unknown: 404,
  memory_gone: 404,
  task_stopped: 409,
  task_already_answering: 409,
  approval_unknown: 404,
  approval_expired: 409,
  approval_spent: 409,
  approval_denied: 409,
  approval_changed: 409,
  approval_withdrawn: 409,
  approval_step_up: 403,
  choice_missing: 400,
  approval_wrong_principal: 403,
  approval_place_too_low: 403,
  edge_locked: 423,
  seal_key_missing: 409,
  home_offline: 503,
  frame_fenced: 409,
  version_incompatible: 503,
  pairing_refused: 403,
  device_revoked: 401,
  remote_rate_limited: 429,
  config_malformed: 500,
  storage_failed: 503,
  storage_full: 507,
  copy_incomplete: 409,
  record_stale: 409,
  record_unreadable: 409,
  edge_not_empty: 409,
}

export function errorResponse({ code }: Pick<Refusal, 'code'>): Response {
  const status = STATUS[code]
  return status === undefined ? faultResponse() : refusalResponse(code, status, wordsFor(code))
}

/** The value of a result as JSON, in the form that `body` gives it, or its refusal. */
export function respond<T>(
  result: Result<T>,
  body: (value: T) => unknown = (value) => value,
  status?: 202,
): Response {
  return result.ok
    ? Response.json(body(result.value), { status: status ?? 200 })
    : errorResponse(result.reason)
}

/** Body of a response that carries no value. */
export function done(): { readonly done: true } {
  return { done: true }
}

/** A path that does not exist. */
export function routeUnknown(): Response {
  return refusalResponse('route_unknown', 404, 'There is nothing here.')
}

/** A plain request to an address that takes WebSocket upgrades only. */
export function upgradeRequired(): Response {
  return refusalResponse('upgrade_required', 426, 'This address speaks WebSocket only.')
}

/** Response for a thrown error: without its text, which may quote data. */
export function faultResponse(): Response {
  return refusalResponse('internal_fault', 500, wordsFor('internal_fault'))
}

/**
 * Calls a Durable Object, and once more if it was evicted or replaced during the call: every method called this way is idempotent.
 * Refusal: storage_failed.
 */
export async function askObject<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await call()
    } catch {
      // The text of the error is dropped: it could quote what the object was working on.
    }
  }
  return err('storage_failed')
}

const ATTEMPTS = 2

function refusalResponse(code: string, status: Status, message: string): Response {
  return Response.json({ error: { code, message } }, { status, headers: { 'cache-control': 'no-store' } })
}
