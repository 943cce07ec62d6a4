/**
 * The two writes of Bluesky: exactly the approved text, with the links, mentions and tags that the card showed. A handle becomes the account that the
 * server knows by it; one that there is not stays text. Must not change the text, or retry. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { marksIn, type PostMark, postFault } from '../../../kernel/tool/post.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { UNCLEAR } from '../remote.ts'
import { POST_LENGTH } from './manifest.ts'
import { COLLECTION, pageOf, postIn, uriOf } from './post-id.ts'
import { isDid, procedure, query, type Session } from './session.ts'

type Call = Pick<ToolCall, 'args' | 'capability'>

const FACET = 'app.bsky.richtext.facet'
const CID = /^[A-Za-z0-9]{8,128}$/

export async function createPost(session: Session, call: Call): Promise<ToolOutcome> {
  return publish(session, call, {})
}

export async function reply(session: Session, call: Call): Promise<ToolOutcome> {
  const parent = await parentOf(session, String(call.args['post']))
  return parent.ok ? publish(session, call, { reply: parent.value }) : parent
}

/** Its time is that of the call, which the kernel's clock gave. */
async function publish(session: Session, { args, capability }: Call, more: JsonRecord): Promise<ToolOutcome> {
  const text = String(args['text'])
  // The kernel has looked already; a call that came another way is refused too.
  if (postFault({ field: 'text', ...POST_LENGTH }, text) !== null)
    return err('tool_arguments_invalid', { rule: 'post' })
  const facets = await facetsOf(session, text)
  if (!facets.ok) return facets
  const record = {
    $type: COLLECTION,
    text,
    ...(facets.value.length > 0 && { facets: facets.value }),
    ...more,
    createdAt: new Date(capability.claims.issuedAt).toISOString(),
  }
  const body = { repo: session.did, collection: COLLECTION, record }
  return published(await procedure(session, 'com.atproto.repo.createRecord', body))
}

function published(answer: Result<JsonRecord>): ToolOutcome {
  const uri = answer.ok ? stringOf(answer.value, 'uri') : ''
  const id = postIn(uri)
  if (answer.ok && id !== null) return { ok: true, output: { post: uri, link: pageOf(id) } }
  const code = answer.ok ? 'tool_result_invalid' : answer.reason.code
  if (UNCLEAR.has(code)) return err('write_outcome_unknown', { after: code })
  return answer.ok ? err('tool_result_invalid', { rule: 'post' }) : answer
}

async function facetsOf(session: Session, text: string): Promise<Result<readonly object[]>> {
  const marks = marksIn(text)
  const handles = [...new Set(marks.filter(({ kind }) => kind === 'mention').map(({ value }) => value))]
  const found = await Promise.all(handles.map((handle) => accountOf(session, handle)))
  const failed = found.find((one) => !one.ok)
  if (failed?.ok === false) return failed
  const dids = new Map(handles.map((handle, at) => [handle, found[at]?.ok === true ? found[at].value : null]))
  return ok(
    marks.flatMap((mark) => {
      const feature = featureOf(mark, dids.get(mark.value) ?? null)
      const index = { byteStart: mark.start, byteEnd: mark.end }
      return feature === null ? [] : [{ index, features: [feature] }]
    }),
  )
}

function featureOf({ kind, value }: PostMark, did: string | null): object | null {
  if (kind === 'link') return { $type: `${FACET}#link`, uri: value }
  if (kind === 'tag') return { $type: `${FACET}#tag`, tag: value }
  return did === null ? null : { $type: `${FACET}#mention`, did }
}

/** Null if there is no such account. */
async function accountOf(session: Session, handle: string): Promise<Result<string | null>> {
  const answer = await query(session, 'com.atproto.identity.resolveHandle', [['handle', handle]])
  if (answer.ok) {
    const did = stringOf(answer.value, 'did')
    return ok(isDid(did) ? did : null)
  }
  return ['remote_not_found', 'remote_rejected'].includes(answer.reason.code) ? ok(null) : answer
}

/** The lasting address of a post that is named in any way. Refusals: tool_arguments_invalid, remote_not_found. */
export async function uriNamed(session: Session, named: string): Promise<Result<string>> {
  const id = postIn(named)
  if (id === null) return err('tool_arguments_invalid', { rule: 'post' })
  const did = id.did === undefined ? await accountOf(session, id.handle ?? '') : ok(id.did)
  if (!did.ok) return did
  return did.value === null ? err('remote_not_found') : ok(uriOf(did.value, id.key))
}

/** What a reply names: the post, and the one that began its thread. */
async function parentOf(session: Session, named: string): Promise<Result<JsonRecord>> {
  const found = await uriNamed(session, named)
  if (!found.ok) return found
  const uri = found.value
  const answer = await query(session, 'app.bsky.feed.getPosts', [['uris', uri]])
  if (!answer.ok) return answer
  const view = recordsOf(answer.value, 'posts').find((one) => stringOf(one, 'uri') === uri)
  if (view === undefined) return err('remote_not_found')
  if (fieldOf(recordOf(view, 'viewer'), 'replyDisabled') === true)
    return err('remote_rejected', { rule: 'replies' })
  const parent = { uri, cid: stringOf(view, 'cid') }
  const root = recordOf(recordOf(recordOf(view, 'record'), 'reply'), 'root')
  const first = { uri: stringOf(root, 'uri'), cid: stringOf(root, 'cid') }
  if (!CID.test(parent.cid)) return err('tool_result_invalid', { rule: 'post' })
  return ok({ root: postIn(first.uri) !== null && CID.test(first.cid) ? first : parent, parent })
}
