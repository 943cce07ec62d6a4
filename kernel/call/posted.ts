/**
 * Checks whether a text can be published as a post before the owner is asked: a post that the service would
 * refuse needs no card. Reads the text under its label and returns nothing of it. Called by authorize.ts.
 */
import { test } from '../flow/labeled.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { postFault } from '../tool/post.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import type { ResolvedCall } from './resolve.ts'

/** Refusals: post_too_long; tool_arguments_invalid for a post without a word. */
export function checkPosted({ post }: RegisteredAction, { whole }: ResolvedCall): Result<true> {
  if (post === undefined) return ok(true)
  const is = (fault: ReturnType<typeof postFault>): boolean =>
    test(whole, (args) => postFault(post, String(args[post.field] ?? '')) === fault)
  if (is('empty')) return err('tool_arguments_invalid', { rule: 'post_empty' })
  return is('too_long') ? err('post_too_long', { field: post.field, max: post.graphemes }) : ok(true)
}
