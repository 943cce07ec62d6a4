/**
 * Sends the words to the chosen engine, in one request. Must not send anything else, follow a result, or turn a refusal into "nothing
 * found". Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Credential, ScopedHttp, Tool } from '../../../kernel/tool/manifest.ts'
import type { RowReader } from '../../extractors/page-rows.ts'
import type { HomeToolPowers } from '../package.ts'
import { ASKING, type SearchPage } from './asking.ts'
import { DEFAULT_SEARCH, engineOf, originOf, SEARCH_LIMITS, type SearchSetting } from './engines.ts'
import { searchManifest } from './manifest.ts'
import { placeIn, placeText } from './place.ts'

/** Says nothing of the owner: an engine with a key has no request that costs nothing. */
const TRIAL = 'weather'

export function createSearchTool({
  rows,
  search = DEFAULT_SEARCH,
}: Pick<HomeToolPowers, 'rows' | 'search'>): Tool {
  const tool: Tool = {
    manifest: searchManifest(search),
    async execute({ action, args, credential, http }) {
      if (action !== 'web.search') return err('tool_unknown')
      const { engine } = search
      const place = placeIn(args['from'], engine)
      if (place === null) return err('tool_arguments_invalid', { rule: 'from' })
      const call = { words: String(args['words']), page: place.page, credential, http }
      const found = await findBy(search, rows, call)
      if (!found.ok) return found
      const { results, next } = found.value
      const until = place.skip + SEARCH_LIMITS.results
      const behind =
        results.length > until ? { ...place, skip: until } : next === null ? null : { page: next, skip: 0 }
      const further = behind !== null && { more: true, next: placeText(engine, behind) }
      return { ok: true, output: { engine, results: results.slice(place.skip, until), ...further } }
    },
  }
  if (engineOf(search).key === null) return tool
  return {
    ...tool,
    check: async (call) => {
      const tried = await findBy(search, rows, { words: TRIAL, page: '', ...call })
      return tried.ok ? ok(null) : tried
    },
  }
}

/** No address and no words of a page: what an engine without a page of results answers is read without them. */
const NO_ROWS: RowReader = () => ({ rows: [], marks: [] })

/** One search for a word that says nothing of the owner, before an engine that answers in JSON is chosen. */
export async function tryEngine(setting: SearchSetting, call: SearchCall): Promise<Result<null>> {
  const tried = await findBy(setting, NO_ROWS, { words: TRIAL, page: '', ...call })
  return tried.ok ? ok(null) : tried
}

interface SearchCall {
  readonly credential: Credential | null
  readonly http: ScopedHttp
}

async function findBy(
  setting: SearchSetting,
  rows: RowReader,
  { words, page, credential, http }: SearchCall & { readonly words: string; readonly page: string },
): Promise<Result<SearchPage>> {
  const engine = ASKING[setting.engine]
  if (engineOf(setting).key !== null && credential === null) return err('credential_missing')
  const answer = await http.request(engine.request(words, { origin: originOf(setting), credential, page }))
  if (!answer.ok) return answer
  try {
    return await engine.results(answer.value, rows, page)
  } catch {
    return err('tool_result_invalid', { rule: 'page_unreadable' })
  }
}
