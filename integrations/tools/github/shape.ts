/**
 * Converts GitHub's answers to the declared fields. Titles, bodies, labels, branches and names of checks are strangers' text; the
 * rest is validated. GitHub returns null for a deleted user or an empty body. Pure. Called by the files of this folder.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { cleanLine, cleanText, toDate, toLink } from '../../extractors/page-clean.ts'
import { fieldOf, idOf, type JsonRecord, nextPart, recordOf, recordsOf, stringOf } from '../reading.ts'
import {
  GITHUB_TEXT,
  MAX_COMMENTS,
  MAX_LABELS,
  MAX_PEOPLE,
  NOTICE_KINDS,
  NOTICE_REASONS,
  VISIBILITIES,
} from './manifest.ts'
import { itemName, nameOf, type Repo, repoIn } from './target.ts'

/** People, organisations and apps (`dependabot[bot]`). */
const LOGIN = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38})(?:\[bot\])?$/
/** Markdown comments, which only readers of the source see. */
const UNSEEN = /<!--[\s\S]*?(?:-->|$)/g

export function loginOf(record: JsonRecord, key: string): string | null {
  const login = stringOf(record, key)
  return LOGIN.test(login) ? login : null
}

/** An issue or a pull request as a list entry. Refusal: tool_result_invalid. */
export function shapeItem(entry: JsonRecord, among: Repo | null): Result<object> {
  const repo = among ?? repoOf(entry)
  const number = numberOf(entry, 'number')
  if (repo === null || number === null) return err('tool_result_invalid', { rule: 'item' })
  const author = loginOf(recordOf(entry, 'user'), 'login')
  const pull = isPlainRecord(fieldOf(entry, 'pull_request')) || isPlainRecord(fieldOf(entry, 'head'))
  const merged = stringOf(entry, 'merged_at') || stringOf(recordOf(entry, 'pull_request'), 'merged_at')
  return ok({
    ...{ item: itemName(repo, number), kind: pull ? 'pull' : 'issue', repo: nameOf(repo), number },
    title: cleanLine(stringOf(entry, 'title'), GITHUB_TEXT.title),
    state: merged !== '' ? 'merged' : stringOf(entry, 'state') === 'closed' ? 'closed' : 'open',
    ...(typeof fieldOf(entry, 'draft') === 'boolean' && { draft: fieldOf(entry, 'draft') }),
    ...(author !== null && { author }),
    ...dated(entry, 'created_at', 'created'),
    ...dated(entry, 'updated_at', 'updated'),
    comments: numberOf(entry, 'comments') ?? 0,
    ...linked(entry),
  })
}

/** The readable items; an invalid row is omitted, so that one odd issue does not hide the others. */
export function shapeItems(rows: readonly JsonRecord[], among: Repo | null, max: number): readonly object[] {
  return rows
    .flatMap((row) => {
      const shaped = shapeItem(row, among)
      return shaped.ok ? [shaped.value] : []
    })
    .slice(0, max)
}

/** `pull`: the same item as a pull request, for fields that an issue lacks. */
export function shapeIssue(
  entry: JsonRecord,
  repo: Repo,
  {
    pull,
    comments,
    more,
    part,
  }: {
    readonly pull: JsonRecord | null
    readonly comments: readonly JsonRecord[]
    readonly more: boolean
    /** Part of its text, and of its comments counted from the newest. */
    readonly part: number
  },
): Result<object> {
  const head = shapeItem(
    { ...entry, ...(pull !== null && { draft: pull['draft'], merged_at: pull['merged_at'] }) },
    repo,
  )
  if (!head.ok) return head
  const body = withoutUnseen(stringOf(entry, 'body')).slice((part - 1) * GITHUB_TEXT.body)
  const truncated = body.length > GITHUB_TEXT.body
  return ok({
    ...head.value,
    body: cleanText(body, GITHUB_TEXT.body),
    truncated,
    ...(part > 1 && { part }),
    ...nextPart(part, truncated || more),
    labels: labelsOf(entry),
    assignees: loginsOf(entry, 'assignees'),
    ...(pull !== null && changesOf(pull)),
    replies: comments.slice(-MAX_COMMENTS).map(shapeComment),
    more,
  })
}

function changesOf(pull: JsonRecord): object {
  const branch = cleanLine(stringOf(recordOf(pull, 'head'), 'ref'), GITHUB_TEXT.branch)
  return {
    reviewers: loginsOf(pull, 'requested_reviewers'),
    ...(branch !== '' && { branch }),
    ...counted(pull, 'changed_files', 'files'),
    ...counted(pull, 'additions', 'added'),
    ...counted(pull, 'deletions', 'removed'),
  }
}

function shapeComment(comment: JsonRecord): object {
  const author = loginOf(recordOf(comment, 'user'), 'login')
  return {
    ...(author !== null && { author }),
    ...dated(comment, 'created_at', 'at'),
    body: cleanText(withoutUnseen(stringOf(comment, 'body')), GITHUB_TEXT.comment),
  }
}

/** A label is an object; in old answers, a string. */
function labelsOf(entry: JsonRecord): readonly string[] {
  const labels = fieldOf(entry, 'labels')
  return (Array.isArray(labels) ? labels : [])
    .map((label: unknown) =>
      isPlainRecord(label) ? stringOf(label, 'name') : typeof label === 'string' ? label : '',
    )
    .map((name) => cleanLine(name, GITHUB_TEXT.label))
    .filter((name) => name !== '')
    .slice(0, MAX_LABELS)
}

function loginsOf(entry: JsonRecord, key: string): readonly string[] {
  return recordsOf(entry, key)
    .flatMap((person) => loginOf(person, 'login') ?? [])
    .slice(0, MAX_PEOPLE)
}

const KINDS: Readonly<Record<string, string>> = Object.freeze({
  ...{ Issue: 'issue', PullRequest: 'pull', Commit: 'commit', Release: 'release' },
  ...{ Discussion: 'discussion', CheckSuite: 'ci', WorkflowRun: 'ci' },
})

export function shapeNotifications(rows: readonly JsonRecord[], max: number): readonly object[] {
  return rows.flatMap(shapeNotification).slice(0, max)
}

function shapeNotification(entry: JsonRecord): readonly object[] {
  const id = idOf(entry, 'id')
  const repo = repoIn(stringOf(recordOf(entry, 'repository'), 'full_name'))
  if (id === null || !repo.ok) return []
  const subject = recordOf(entry, 'subject')
  const type = stringOf(subject, 'type')
  const kind = Object.hasOwn(KINDS, type) ? (KINDS[type] ?? 'other') : 'other'
  const number = /\/(?:issues|pulls)\/([1-9]\d{0,8})$/.exec(stringOf(subject, 'url'))?.[1]
  const reason = stringOf(entry, 'reason')
  return [
    {
      ...{ id, repo: nameOf(repo.value), kind: NOTICE_KINDS.includes(kind) ? kind : 'other' },
      ...(number !== undefined && { item: itemName(repo.value, Number(number)) }),
      reason: NOTICE_REASONS.includes(reason) ? reason : 'other',
      unread: fieldOf(entry, 'unread') === true,
      title: cleanLine(stringOf(subject, 'title'), GITHUB_TEXT.title),
      ...dated(entry, 'updated_at', 'updated'),
    },
  ]
}

/** Refuses an answer without visibility; the caller then treats it as public. Refusal: tool_result_invalid. */
export function shapeRepo(entry: JsonRecord): Result<object> {
  const repo = repoIn(stringOf(entry, 'full_name'))
  const visibility = visibilityOf(entry)
  if (!repo.ok || visibility === null) return err('tool_result_invalid', { rule: 'repository' })
  const description = cleanLine(stringOf(entry, 'description'), GITHUB_TEXT.description)
  return ok({
    repo: nameOf(repo.value),
    visibility,
    archived: fieldOf(entry, 'archived') === true,
    branch: cleanLine(stringOf(entry, 'default_branch'), GITHUB_TEXT.branch),
    open: numberOf(entry, 'open_issues_count') ?? 0,
    ...(description !== '' && { description }),
    ...linked(entry),
  })
}

/** Old servers have only `private`. If both fields exist and disagree, the more open one counts. */
function visibilityOf(entry: JsonRecord): (typeof VISIBILITIES)[number] | null {
  const said = stringOf(entry, 'visibility')
  const isPrivate = fieldOf(entry, 'private')
  if (isPrivate === false) return 'public'
  if (VISIBILITIES.some((one) => one === said)) return said as (typeof VISIBILITIES)[number]
  return said === '' && isPrivate === true ? 'private' : null
}

/** The repository of a search result, which names it by URL only. */
function repoOf(entry: JsonRecord): Repo | null {
  const [, path = ''] = /\/repos\/([^/\s]+\/[^/\s]+)$/.exec(stringOf(entry, 'repository_url')) ?? []
  const repo = repoIn(path)
  return repo.ok ? repo.value : null
}

export function numberOf(record: JsonRecord, key: string): number | null {
  const value = fieldOf(record, key)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

export function linked(entry: JsonRecord): { readonly link?: string } {
  const link = toLink(stringOf(entry, 'html_url'))
  return link === null ? {} : { link }
}

function dated(entry: JsonRecord, key: string, as: string): object {
  const date = toDate(stringOf(entry, key))
  return date === null ? {} : { [as]: date }
}

function counted(entry: JsonRecord, key: string, as: string): object {
  const count = numberOf(entry, key)
  return count === null ? {} : { [as]: count }
}

function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, ' ')
}
