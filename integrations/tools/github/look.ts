/**
 * The reads of GitHub: pull requests, notifications, one issue with its comments, search, a repository. Each requests a bounded
 * number of pages and reports if there are more. Must not write. Called by run.ts.
 */
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, nextPart, partIn } from '../reading.ts'
import { type Api, getPage, getPageOf, getRecord, type Page } from './api.ts'
import { DEFAULT_ITEMS, MAX_COMMENTS, MAX_ITEMS } from './manifest.ts'
import { numberOf, shapeIssue, shapeItems, shapeNotifications, shapeRepo } from './shape.ts'
import { type Item, itemIn, nameOf, pathOf, repoIn } from './target.ts'

/** GitHub searches by at most 256 characters, without its qualifiers. */
const MAX_WORDS = 256

export async function listPulls(api: Api): Promise<ToolOutcome> {
  const { whose, repo } = api.call.args
  const count = countIn(api)
  if (repo === undefined) {
    // Without a qualifier the search would return everybody's pull requests.
    const of = whose === 'review' ? 'review-requested:@me' : whose === 'all' ? 'involves:@me' : 'author:@me'
    return search(api, `is:pr is:open archived:false ${of}`, count)
  }
  const found = repoIn(String(repo))
  if (!found.ok) return found
  if (whose === 'mine' || whose === 'review') {
    const of = whose === 'review' ? 'review-requested' : 'author'
    return search(api, `is:pr is:open repo:${nameOf(found.value)} ${of}:@me`, count)
  }
  const query = { state: 'open', sort: 'updated', direction: 'desc', per_page: count, ...pageIn(api) }
  const page = await getPage(api, `${pathOf(found.value)}/pulls`, query)
  if (!page.ok) return page
  const { rows } = page.value
  return {
    ok: true,
    output: { items: shapeItems(rows, found.value, count), ...furtherIn(api, page.value, count) },
  }
}

export async function searchItems(api: Api): Promise<ToolOutcome> {
  const { words, repo, kind, state } = api.call.args
  const found = repo === undefined ? null : repoIn(String(repo))
  if (found?.ok === false) return found
  const where = found === null ? 'involves:@me' : `repo:${nameOf(found.value)}`
  const query = [
    plainWords(String(words)),
    where,
    ...(kind === undefined ? [] : [kind === 'pull' ? 'is:pr' : 'is:issue']),
    ...(state === undefined ? [] : [`is:${String(state)}`]),
  ]
  return search(api, query.join(' '), countIn(api))
}

/** Removes colons, which would form a qualifier, such as another repository. */
function plainWords(text: string): string {
  return text
    .replace(/[:"\s]+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS)
}

async function search(api: Api, q: string, count: number): Promise<ToolOutcome> {
  const query = { q, sort: 'updated', order: 'desc', per_page: count, ...pageIn(api) }
  const page = await getPageOf(api, '/search/issues', 'items', query)
  if (!page.ok) return { ok: false, reason: searchReason(page.reason) }
  const items = shapeItems(page.value.rows, null, count)
  return { ok: true, output: { items, ...furtherIn(api, page.value, count) } }
}

/** GitHub's answer if a repository does not exist, or is not visible. */
function searchReason(reason: Extract<Result<Page>, { ok: false }>['reason']): typeof reason {
  return reason.facts['status'] === 422 ? { code: 'remote_not_found', facts: reason.facts } : reason
}

export async function listNotifications(api: Api): Promise<ToolOutcome> {
  const count = countIn(api)
  const all = api.call.args['all'] === true ? 'true' : 'false'
  const page = await getPage(api, '/notifications', { all, per_page: count, ...pageIn(api) })
  if (!page.ok) return page
  const notifications = shapeNotifications(page.value.rows, count)
  return { ok: true, output: { notifications, ...furtherIn(api, page.value, count) } }
}

export async function getIssue(api: Api): Promise<ToolOutcome> {
  const item = itemIn(String(api.call.args['item']), api.call.args['number'])
  if (!item.ok) return item
  const path = `${pathOf(item.value)}/issues/${item.value.number}`
  const issue = await getRecord(api, path)
  if (!issue.ok) return issue
  const isPull =
    fieldOf(issue.value, 'pull_request') !== undefined && fieldOf(issue.value, 'pull_request') !== null
  const pull = isPull ? await getRecord(api, `${pathOf(item.value)}/pulls/${item.value.number}`) : ok(null)
  if (!pull.ok) return pull
  const part = partIn(api.call.args['part'])
  const said = await commentsOf(api, item.value, { issue: issue.value, part })
  if (!said.ok) return said
  const shaped = shapeIssue(issue.value, item.value, { pull: pull.value, part, ...said.value })
  return shaped.ok ? { ok: true, output: shaped.value } : shaped
}

/**
 * Comments come oldest first, so the last page is read, and the page before it if the last has few; for further parts, the pages
 * before these.
 */
async function commentsOf(
  api: Api,
  item: Item,
  { issue, part }: { readonly issue: JsonRecord; readonly part: number },
): Promise<Result<{ readonly comments: readonly JsonRecord[]; readonly more: boolean }>> {
  const all = numberOf(issue, 'comments') ?? 0
  const until = all - (part - 1) * MAX_COMMENTS
  if (until <= 0) return ok({ comments: [], more: false })
  const last = Math.ceil(until / MAX_COMMENTS)
  const comments: JsonRecord[] = []
  for (const at of [last - 1, last].filter((page) => page > 0)) {
    const query = { per_page: MAX_COMMENTS, page: at }
    const page = await getPage(api, `${pathOf(item)}/issues/${item.number}/comments`, query)
    if (!page.ok) return page
    comments.push(...page.value.rows)
  }
  // Omits comments of the last page that an earlier part showed; a comment written since is shown with the newest.
  const before = part === 1 ? comments : comments.slice(0, until - Math.max(0, last - 2) * MAX_COMMENTS)
  return ok({
    comments: before.slice(-MAX_COMMENTS),
    more: until > MAX_COMMENTS || before.length > MAX_COMMENTS,
  })
}

export async function getRepo(api: Api): Promise<ToolOutcome> {
  const repo = repoIn(String(api.call.args['repo']))
  if (!repo.ok) return repo
  const found = await getRecord(api, pathOf(repo.value))
  const shaped = found.ok ? shapeRepo(found.value) : found
  return shaped.ok ? { ok: true, output: shaped.value } : shaped
}

/** The first page is GitHub's default. */
function pageIn({ call }: Api): { readonly page?: number } {
  const page = partIn(call.args['part'])
  return page === 1 ? {} : { page }
}

/** An answer with more rows than requested does not tell where the next ones begin. */
function furtherIn({ call }: Api, { rows, more }: Page, count: number): object {
  return { more: more || rows.length > count, ...nextPart(partIn(call.args['part']), more) }
}

function countIn({ call }: Api): number {
  const { count } = call.args
  return typeof count === 'number' && count >= 1 ? Math.min(Math.floor(count), MAX_ITEMS) : DEFAULT_ITEMS
}
