/**
 * Whether a text that would be published as a post is one: what its service would refuse is not asked about. Reads the text in place, and gives nothing of
 * it away. Called by authorize.ts.
 */
import { test } from '../flow/labeled.ts'
import { ok, type Result } from '../flow/verdict.ts'
import type { ResolvedCall } from '../pipeline/resolve.ts'
import { checkPost } from '../tool/post.ts'
import type { RegisteredAction } from '../tool/registry.ts'

/** Refusals: those of `checkPost`. */
export function checkPosted({ post }: RegisteredAction, { whole }: ResolvedCall): Result<true> {
  let checked: Result<true> = ok(true)
  if (post === undefined) return checked
  test(whole, (args) => {
    checked = checkPost(post, String(args[post.field] ?? ''))
    return checked.ok
  })
  return checked
}
