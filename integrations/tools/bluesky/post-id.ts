/**
 * Reads how a post is named: `at://did:plc:…/app.bsky.feed.post/…`, or the address of its page. Whatever could lead elsewhere is refused. Pure. Called
 * by shape.ts and write.ts.
 */
import { isDid, isHandle } from './session.ts'

export interface PostId {
  /** Of its author; absent where the page names a handle. */
  readonly did?: string
  readonly handle?: string
  readonly key: string
}

export const COLLECTION = 'app.bsky.feed.post'

const KEY = '[A-Za-z0-9._~:-]{1,128}'
const NAMED = new RegExp(`^at://([^/\\s]{3,253})/${COLLECTION.replaceAll('.', '\\.')}/(${KEY})$`)
const PAGE = new RegExp(`^https://[a-z0-9.-]{3,253}/profile/([^/\\s]{3,253})/post/(${KEY})/?$`)

export function postIn(text: string): PostId | null {
  const [, of = '', key = ''] = NAMED.exec(text) ?? PAGE.exec(text) ?? []
  if (isDid(of)) return { did: of, key }
  return isHandle(of) ? { handle: of.toLowerCase(), key } : null
}

export function uriOf(did: string, key: string): string {
  return `at://${did}/${COLLECTION}/${key}`
}

/** On the page of Bluesky itself, whichever server the account is on. */
export function pageOf({ did, handle, key }: PostId): string {
  return `https://bsky.app/profile/${did ?? handle ?? ''}/post/${key}`
}
