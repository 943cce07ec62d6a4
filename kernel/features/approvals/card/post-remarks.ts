/**
 * Remarks on a card about a text that will be published as a post: its length, and what becomes a link, a
 * mention or a tag. Made from the same bytes as the card. Must not shorten a value. Called by card.ts.
 */
import type { Json } from '../../../flow/json.ts'
import { marksIn, type PostMark, postLength } from '../../../tool/post.ts'
import type { RegisteredAction } from '../../../tool/registry.ts'
import { showHosts, showUnseen } from '../../../wording/visible.ts'
import { type Saying, tell } from '../../../wording/words.ts'

const SAYINGS: Readonly<Record<PostMark['kind'], Saying>> = Object.freeze({
  link: 'approvals.post_links',
  mention: 'approvals.post_mentions',
  tag: 'approvals.post_tags',
})

const SIGNS: Readonly<Record<PostMark['kind'], string>> = Object.freeze({ link: '', mention: '@', tag: '#' })

export function postRemarks(
  { post }: RegisteredAction,
  values: { readonly [name: string]: Json },
): readonly string[] {
  const text = post === undefined ? undefined : values[post.field]
  if (post === undefined || typeof text !== 'string') return []
  const marks = marksIn(text)
  const kinds = (['link', 'mention', 'tag'] as const).flatMap((kind) => {
    const all = marks
      .filter((mark) => mark.kind === kind)
      .map(({ value }) => SIGNS[kind] + showHosts(showUnseen(value)))
    return all.length === 0 ? [] : [tell(SAYINGS[kind], { all: all.join('  ') })]
  })
  const { graphemes } = postLength(text)
  return [tell('approvals.post_length', { count: graphemes, most: post.graphemes }), ...kinds]
}
