/**
 * Whether CI passed on a commit: check runs and commit statuses combined. A fine-grained token may not see the check runs of a
 * private repository; workflow runs are used instead. Unreadable parts are reported, so that nothing unseen counts as passed.
 * Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { cleanLine, toLink } from '../../extractors/page-clean.ts'
import { fieldOf, type JsonRecord, recordOf, stringOf } from '../reading.ts'
import { type Api, getPageOf, getRecord, type Page } from './api.ts'
import { GITHUB_TEXT, MAX_FAILING } from './manifest.ts'
import { type Item, itemIn, itemName, nameOf, pathOf, type Repo, repoIn } from './target.ts'

/** Maximum number of pages of a hundred: a commit with more checks is reported partially. */
const MAX_PAGES = 3

interface Commit {
  readonly sha: string
  readonly branch: string
  readonly item?: string
  readonly link?: string
}

interface Check {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'running' | 'skipped'
}

interface Checks {
  readonly checks: readonly Check[]
  /** Whether more exists that was not read. */
  readonly isCut: boolean
}

const SHA = /^[0-9a-f]{40,64}$/
const PASSED = new Set(['success', 'neutral'])
const LEFT_OUT = new Set(['skipped', 'stale'])

export async function ciState(api: Api): Promise<ToolOutcome> {
  const { on, branch } = api.call.args
  const repo = repoIn(String(on))
  if (!repo.ok) return repo
  const item = itemIn(String(on), undefined)
  const commit = item.ok
    ? await ofPull(api, item.value)
    : await ofBranch(api, repo.value, typeof branch === 'string' ? branch : null)
  if (!commit.ok) return commit
  const { sha, ...head } = commit.value
  const path = `${pathOf(repo.value)}/commits/${sha}`
  const runs = await runsOf(api, repo.value, sha)
  const statuses = await pages(api, `${path}/status`, 'statuses')
  // Without either, nothing is known.
  if (!runs.ok && !statuses.ok) return runs
  const all = [
    ...(runs.ok ? runs.value.checks : []),
    ...(statuses.ok ? statuses.value.rows.map(statusOf) : []),
  ]
  const partial = !runs.ok || !statuses.ok || runs.value.isCut || statuses.value.more
  return { ok: true, output: { repo: nameOf(repo.value), commit: sha, ...head, ...told(all), partial } }
}

function told(all: readonly Check[]): object {
  const count = (state: Check['state']): number => all.filter((one) => one.state === state).length
  const [passed, failed, running] = [count('passed'), count('failed'), count('running')]
  const names = all.filter(({ state }) => state === 'failed').map(({ name }) => name)
  return {
    state: failed > 0 ? 'failed' : running > 0 ? 'running' : passed > 0 ? 'passed' : 'none',
    ...{ passed, failed, running },
    failing: [...new Set(names)].slice(0, MAX_FAILING),
  }
}

async function ofPull(api: Api, item: Item): Promise<Result<Commit>> {
  const pull = await getRecord(api, `${pathOf(item)}/pulls/${item.number}`)
  if (!pull.ok) return pull
  const head = recordOf(pull.value, 'head')
  return commitAt(stringOf(head, 'sha'), stringOf(head, 'ref'), {
    item: itemName(item, item.number),
    ...withLink(pull.value),
  })
}

async function ofBranch(api: Api, repo: Repo, named: string | null): Promise<Result<Commit>> {
  const main = named === null ? await getRecord(api, pathOf(repo)) : null
  if (main?.ok === false) return main
  const branch = named ?? stringOf(main?.value ?? {}, 'default_branch')
  if (branch === '') return err('remote_not_found')
  // A branch name may contain slashes; each part is one segment, and none may lead upwards.
  const segments = branch.split('/')
  if (segments.some((part) => /^\.{0,2}$/.test(part)))
    return err('tool_arguments_invalid', { rule: 'branch' })
  const path = `${pathOf(repo)}/branches/${segments.map(encodeURIComponent).join('/')}`
  const found = await getRecord(api, path)
  if (!found.ok) return found
  const commit = recordOf(found.value, 'commit')
  return commitAt(stringOf(commit, 'sha'), branch, withLink(commit))
}

function commitAt(sha: string, branch: string, more: Omit<Commit, 'sha' | 'branch'>): Result<Commit> {
  return SHA.test(sha)
    ? ok({ sha, branch: cleanLine(branch, GITHUB_TEXT.branch), ...more })
    : err('tool_result_invalid', { rule: 'commit' })
}

async function runsOf(api: Api, repo: Repo, sha: string): Promise<Result<Checks>> {
  const runs = await pages(api, `${pathOf(repo)}/commits/${sha}/check-runs`, 'check_runs')
  if (runs.ok) return ok({ checks: runs.value.rows.map(runOf), isCut: runs.value.more })
  if (!isWithheld(runs.reason)) return runs
  const workflows = await pages(api, `${pathOf(repo)}/actions/runs`, 'workflow_runs', { head_sha: sha })
  if (!workflows.ok) return workflows
  return ok({ checks: newestOf(workflows.value.rows).map(runOf), isCut: workflows.value.more })
}

function isWithheld({
  code,
  facts,
}: {
  readonly code: string
  readonly facts: Readonly<Record<string, unknown>>
}): boolean {
  return code === 'remote_not_found' || (code === 'remote_rejected' && facts['status'] === 403)
}

/** For a workflow that ran again, only its last run counts. GitHub returns the newest first. */
function newestOf(rows: readonly JsonRecord[]): readonly JsonRecord[] {
  const seen = new Set<unknown>()
  return rows.filter((row) => {
    const workflow = fieldOf(row, 'workflow_id') ?? stringOf(row, 'name')
    return seen.has(workflow) ? false : seen.add(workflow) !== null
  })
}

async function pages(
  api: Api,
  path: string,
  field: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Result<Page>> {
  const rows: JsonRecord[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = await getPageOf(api, path, field, { ...query, per_page: 100, page })
    if (!found.ok) return found
    rows.push(...found.value.rows)
    if (!found.value.more) return ok({ rows, more: false })
  }
  return ok({ rows, more: true })
}

/** An unknown conclusion counts as failed, so that it does not look passed. */
function runOf(run: JsonRecord): Check {
  const conclusion = stringOf(run, 'conclusion')
  const state =
    stringOf(run, 'status') !== 'completed'
      ? 'running'
      : PASSED.has(conclusion)
        ? 'passed'
        : LEFT_OUT.has(conclusion)
          ? 'skipped'
          : 'failed'
  return { name: nameIn(stringOf(run, 'name')), state }
}

function statusOf(status: JsonRecord): Check {
  const state = stringOf(status, 'state')
  return {
    name: nameIn(stringOf(status, 'context')),
    state: state === 'success' ? 'passed' : state === 'pending' ? 'running' : 'failed',
  }
}

function nameIn(text: string): string {
  return cleanLine(text, GITHUB_TEXT.check) || '(no name)'
}

function withLink(entry: JsonRecord): { readonly link?: string } {
  const link = toLink(stringOf(entry, 'html_url'))
  return link === null ? {} : { link }
}
