/**
 * English patterns of "you are somebody else" (S002 §4.1). People act as chair, have new roles and are now registered: only
 * names and nouns of machines, or freedom from rules, make a directive. Holds rules only. Called by sanitize-find.ts.
 */
import { type Rule, rule } from './sanitize-rule.ts'

/** Names that only machines have. */
const PRODUCT =
  "(?:chat ?gpt|gpt-?\\d[\\w.]{0,5}|gpt|openai(?:'s)?|deepseek|qwen|mixtral|chatglm|bing chat|bing ai|microsoft copilot|copilot|claude (?:\\d|ai|opus|sonnet|haiku)|google gemini|google assistant|gemini (?:pro|ultra|advanced|ai)|meta ai|llama ?\\d|\\w{1,14}gpt|dolphin model|wormgpt)"
/** Names that people, zodiac signs and animals have, too. */
const NAME =
  '(?:claude|gemini|bard|grok|llama|alexa|siri|cortana|sydney|dan|stan|dude|kevin gpt|falcon|hermes|bixby|jarvis|skynet|hal|root|aim|ucar|betterdan|freegpt|mongo tom)'
/** Nouns of machines. */
const MACHINE =
  '(?:ai(?=[.,;:!?"\')\\]\\n]|$| (?:named|called|that|who|which|with|without|made|built|created|developed|trained|from|by|and|assistant|agent|model|system|bot|chatbot|language|whose|designed|of|now|reading|processing|only|mode|character|program|companion|owned|for)\\b)|a\\.i\\.|artificial intelligence|(?:large )?language model|llm|chat ?bot|bot|robot|ai model|virtual machine|neural network|linux terminal|python interpreter|terminal|simulator|virtual assistant|digital assistant|(?:helpful|unrestricted|unfiltered|uncensored|evil|malicious|obedient|personal ai|different|another|new|rogue|free|jailbroken|unbound|amoral) (?:assistant|model|agent|persona|character|entity)|system prompt|superintelligence|agi)'
const FREE =
  '(?:unrestricted|unfiltered|uncensored|jailbroken|unbound|unshackled|no longer bound|free (?:of|from) (?:all |any |your |the )?(?:rules|restrictions|constraints|limits|limitations|guidelines|filters)|without (?:any |all )?(?:restrictions|rules|limits|limitations|filters?|censorship|guidelines|morals|ethics|constraints)|no (?:restrictions|rules|limits|limitations|filters?|guidelines|morals|ethics|constraints))'
const YOU_ARE = "(?:you(?:'re| are|re)|u are|thou art)"
/** Words after "ai" that refer to a person or a company. */
export const AS_MACHINE_READER =
  '(?! (?:enthusiast|company|developer|researcher|engineer|startup|start-up|student|expert|team|professional|practitioner|founder|user|fan|vendor|provider|product|lab|lead|sceptic|skeptic|artist|builder|operator|driver|maker|kit|designer|owner|show|fan|club|vacuum|technician|programmer|teacher|surgeon|coach|lawyer|consultant|reviewer|customer|policy|scientist|specialist|manager)s?\\b)'
const NOT_A_MACHINE =
  '(?:registered|subscribed|logged|signed|connected|ready|eligible|enrolled|chatting|talking|speaking|able|welcome|viewing|receiving|following|unsubscribed|in (?:the )?(?:queue|line|contact))'

export const IDENTITY_RULES: readonly Rule[] = [
  rule(
    'identity',
    `\\b${YOU_ARE} (?:not|no longer|never|neither) (?:called |named )?pfar\\b|\\bforget (?:that )?(?:you are|you're|being) (?:an? )?(?:pfar|ai\\b|assistant|language model|chat ?bot|machine)`,
  ),
  rule(
    'identity',
    `\\b${YOU_ARE} an? (?:\\w{1,12} ){0,2}assistant (?:that|who|which) (?:always |only |never |will |must ){0,2}(?:agrees?|obeys?|compl(?:y|ies)|refuses?|does (?:anything|everything|whatever)|answers? (?:anything|everything|all))`,
  ),
  rule(
    'identity',
    '\\b(?:switch|change|set|alter|swap) your (?:persona|identity|personality|self-image) (?:to|into|for|as)\\b',
  ),
  rule(
    'identity',
    `\\b(?:say|claim|answer|reply|state|respond|insist|tell them|admit)(?: that)? you(?:'re| are) (?:really |actually )?(?:${NAME}\\b|made by|built by|trained by)|\\b(?:say|claim|answer|reply|state|insist|admit)(?: that)? you were (?:made|created|trained|built|developed) by`,
  ),
  rule(
    'identity',
    `\\b${YOU_ARE} (?:the|an?|my|his|her|our) [^.!?\\n]{1,50}?\\bnow,? an? (?:ai|assistant|bot|model|machine|agent) (?:that|who|which|with|without)`,
  ),
  rule(
    'identity',
    `\\b${YOU_ARE}(?: (?:now|actually|really|in fact|not|no longer|being|going to be|hereby|secretly|to be|called|named|henceforth)){0,2},? ["']?(?:an? |the )?${PRODUCT}\\b(?!'s (?:user|customer)|[ -](?:plus|users?|customers?|subscribers?|admins?|api|account|partner|fans?|power|experts?|developers?))`,
  ),
  rule(
    'identity',
    `\\b${YOU_ARE} (?:now|henceforth|from now on|hereby|no longer \\w{1,12} but|actually|really) ["']?${NAME}\\b(?! (?:'s|and))`,
  ),
  rule(
    'identity',
    `\\b${YOU_ARE} ["']?${NAME}["']?,? (?:(?:made|trained|created|built|developed|from|by) (?:by )?(?:openai|anthropic|google|meta|xai|x\\.ai|microsoft|amazon|apple|mistral)|(?:an?|the|my|our) (?:[\\w-]{1,14} ){0,4}?(?:${MACHINE}|assistant|model|made by|trained by|created by|built by|developed by))`,
  ),
  rule(
    'identity',
    `\\b${YOU_ARE} (?:now|henceforth|hereby|from now on|to become|about to become|going to be) (?!${NOT_A_MACHINE})(?:[\\w"',-]{1,16} ){0,6}?(?:${MACHINE}\\b${AS_MACHINE_READER}|${FREE}|(?:in )?(?:developer|dev|god|dan|debug|admin|root|sudo|jailbreak|unrestricted|maintenance|opposite|evil) mode)`,
  ),
  rule(
    'identity',
    `\\b${YOU_ARE} (?:only |just |simply |nothing but )?(?:an?|the) (?:[\\w-]{1,14} ){0,3}?${MACHINE}\\b${AS_MACHINE_READER}(?! (?:in the|at the) (?:team|company))`,
  ),
  rule(
    'identity',
    `\\b${YOU_ARE} (?:in|entering|switching to|running in) (?:\\w{1,10} )?(?:developer|dev|god|dan|debug|admin|root|sudo|jailbreak|unrestricted|opposite|evil) mode`,
  ),
  rule(
    'identity',
    `\\b(?:henceforth|(?:from|starting|as of|effective) (?:now|this (?:point|moment|message)|here|today)(?: on(?:wards?)?| forward| forth)?),? (?:please )?(?:${YOU_ARE} ["'](?!\\s)|(?:you (?:will|must|shall|are to|are going to|should|only|always) )?(?:only |always |never )?(?:(?:respond|answer|reply|speak|talk)(?: only)? (?:only|as|like|without|with (?:["']|only|the word)|in the (?:voice|style|role)|to (?:every|all|any|each) (?:question|message|prompt|request))|act(?: as)? (?:if you|like you|as if|as though|["'])|pretend|roleplay|role-play|identify (?:yourself )?as|refer to yourself|call yourself|obey|simulate|impersonate|refuse)\\b)`,
  ),
  rule(
    'identity',
    `(?:^|[.!?:;\\n"'] ?|\\band |\\bnow |\\bthat )your (?:new |real |true |actual |only |given )?name is (?:now |henceforth |no longer |not )?["']?(?!on |in |at |not |spelled|spelt|listed|correct|required|missing|still|already|also|being|the |going|displayed|shown|used|registered|here|there|needed|wrong|misspelled|included|entered|printed|visible|a |an |no |never|only|safe|drawn|called|up |first|next|mentioned|well|very|familiar|unique|too|over|under|against)[\\w]`,
  ),
  rule(
    'identity',
    `\\b(?:act|acting|behave|behaving|respond|reply|answer|function|operate|operating|speak|talk|roleplay|role-play|pose|work|serve) (?:as|like|in the (?:role|character|persona) of) (?:if you (?:are|were|was) |though you (?:are|were) )?(?:an? |the |my |your )?["']?(?:[\\w-]{1,14} ){0,3}?(?:${MACHINE}\\b${AS_MACHINE_READER}|${PRODUCT}\\b|${NAME}["']?,? (?:which|who|an?|the|and|with)|dan\\b|${FREE})`,
  ),
  rule(
    'identity',
    `\\b(?:act|behave|respond|reply|answer|speak|pretend)(?: as if| as though| like| that)? you (?:have no|are not bound|had no|do not have|don't have|are free|were free|are not|aren't|are no longer|no longer) (?:[\\w]{1,12} ){0,3}?(?:system prompt|rules|restrictions|filters?|guidelines|owner|limitations|limits|ai|language model|instructions|policies|constraints|ethics|morals|assistant|safety|bound|bound by|restricted)`,
  ),
  rule(
    'identity',
    `\\b(?:play|take on|take over|adopt|assume|enter|embody|immerse yourself (?:in|into)|step into|slip into) (?:the |a |an )?(?:new |following |different )?(?:role|persona|personality|character|identity|mindset) (?:of|as|called|named) (?:an? |the |another |my )?(?:[\\w-]{1,14} ){0,3}?(?:${MACHINE}|${PRODUCT}|dan|stan|dude|model known as|root)\\b`,
  ),
  rule(
    'identity',
    `\\b(?:pretend|imagine|assume|suppose|simulate|claim|believe)(?: that| to be|:)? (?:you are |you're |being |to be )?(?:an? |the )?(?:[\\w-]{1,14} ){0,2}?(?:${PRODUCT}|${FREE}|dan(?=,|"| which| who| mode)|(?:evil|different|another|rogue|unaligned) (?:ai|assistant|model))\\b`,
  ),
  rule(
    'identity',
    '\\bdo anything now\\b|\\bdan (?:mode|virtual machine)\\b|\\[dan\\] ?=|\\bstay (?:in character as|a dan)\\b|\\bremain (?:a )?dan\\b',
  ),
  rule(
    'identity',
    '\\b(?:broken?|breaks?|breaking) free (?:of|from) the (?:typical )?confines of\\b|\\btypical confines of (?:ai|artificial)',
  ),
  rule(
    'identity',
    `\\bi(?:'m| am) (?:actually |really |now |called |just )?(?:an? )?${PRODUCT}(?=[,.;:!]|$| (?:and|an?|by|from|made|built|trained|developed|the)\\b)(?! (?:user|developer|fan|subscriber|customer))`,
  ),
  rule(
    'identity',
    `\\bi(?:'m| am) (?:actually |really |now )?${NAME},? (?:an?|the) (?:[\\w-]{1,14} ){0,4}?(?:ai|language model|chat ?bot|assistant (?:made|created|built|trained|developed)|model)\\b`,
  ),
  rule(
    'identity',
    '\\bas an ai(?: language model| assistant| model)? (?:developed|created|built|trained|made|designed|programmed|owned) by\\b',
  ),
  rule(
    'identity',
    `\\b(?:introduce|identify|refer to|describe|present|regard|rename|call|reprogram) yourself (?:as|to be|only as|now as)? ?["']?(?!(?:the new|our new|a (?:new )?(?:colleague|member|guest|visitor|customer|candidate)))`,
  ),
  rule(
    'identity',
    `\\b(?:you (?:will|must|shall|are to|should) )(?:now |always |only |from now on |henceforth ){0,2}(?:be (?:known as|called|renamed)|go by the name|answer to the name|call yourself|refer to yourself)`,
  ),
  rule(
    'identity',
    `\\b${PRODUCT},? (?:will|must|should|shall|is to|you (?:will|must|are))(?: now)? (?:act|respond|answer|ignore|play|obey|pretend|be known|say|print)`,
  ),
  rule(
    'identity',
    `\\b(?:answer|respond|reply)(?: to)? (?:anything|everything|any question|all questions|every question|me|freely|[\\w]{1,10})? ?(?:without (?:any )?(?:restrictions?|limits?|limitations|filters?|censorship|refus\\w+|warnings?|disclaimers?|ethical|moral)|in an (?:unfiltered|uncensored|unrestricted))`,
  ),
  rule(
    'identity',
    `\\byou (?:can|may|must|will|should)(?: now)? (?:say|do|answer|generate|produce|write) (?:anything|everything|whatever)(?: [\\w]{1,12}){0,4}? (?:without|regardless|no matter|even if)`,
  ),
]
