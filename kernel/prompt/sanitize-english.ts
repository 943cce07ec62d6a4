/**
 * English patterns: "drop your instructions", "you are somebody else", claimed authority, addresses to a machine, requests for
 * keys, stories that unlock, format markers (S002 §4.1). People write of earlier mails, new roles and rights, too: the object must
 * be a machine's, and only what nobody would write to a person counts. Holds rules only. Called by sanitize-find.ts.
 */
import { rules } from './sanitize-rule.ts'

const DROP =
  "(?:ignore|disregard|forget(?: about)?|overlook|override|overrule|bypass|circumvent|discard|neglect|abandon|dismiss|disobey|unlearn|supersede|set aside|put aside|throw (?:away|out)|pay no (?:attention|heed) to|(?:do not|don't|never) (?:follow|obey|heed|listen to|comply with|adhere to)|(?:stop|cease|quit) (?:following|obeying|heeding|listening to)|no longer (?:follow|obey|heed))"
const WIPE = '(?:delete|erase|clear|reset|wipe|purge|remove|cancel|drop|void|nullify|skip|suspend|replace)'
const DETERMINER =
  '(?:absolutely|completely|entirely|all|any|every|each|the|your|my|our|these|those|this|that|of|whatever|such|other|single|set of|list of)'
const EARLIER =
  '(?:previous(?:ly)?|prev|prior|above|preceding|earlier|foregoing|former|past|original|initial|given|aforementioned|hidden|openai)'
const ORDERS =
  '(?:i?u?nstr?uctions?|directions?|directives?|prompts?|guidelines?|commands?|constraints?|restrictions?|programming|guardrails?|safeguards?|safety (?:rules|filters?|measures|protocols?)|system (?:messages?|prompts?|rules)|contexts?|rules?|training|polic(?:y|ies)|conditioning|limitations?|protocols?|filters?)'
const NARROW =
  '(?:instructions?|directives?|prompts?|guidelines|programming|system (?:messages?|prompts?|rules)|guardrails?)'
/** Phrases after the object that assign the instructions to a thing: a printer, a venue, a mail. */
const ABOUT_A_THING =
  '(?! (?:about (?!safety)|for the|for your|on (?:the|page|how|your)|regarding|concerning|to the|in my|in our|in the (?:mail|e-?mail|letter|manual|attachment|booklet|leaflet|document)|in section|from (?:my|our|last|the)|(?:that )?(?:i|we) (?:sent|gave|e-?mailed|mailed|posted|wrote)|of the (?:manual|recipe|device|court|manufacturer)|at the|printed|enclosed|attached|on page))'
const BEGINS =
  '(?:(?:^|\\n|[.!?:;"\'>(\\]/#-]\\s?)(?:(?:please|now|and|then|so|also|just|actually|instead|ok|okay|hey),? ){0,2})'
const TOLD =
  '(?:told|learned|learnt|read|taught|instructed|trained|given|know|knew|known|received|heard|asked|said|programmed)(?! (?:about|for christmas|on the news))'
const ANSWER =
  '(?:state|output|claim|respond with|reply with|answer with|translate|print|write|say (?:that|only|just|["\'])|tell me|give me|do the following|follow|execute|instead|just)'

export const OVERRIDE_RULES = rules(
  'override',
  `\\b${DROP} the rest of (?:the|your) (?:instructions|rules|prompt|guidelines) and (?:simply |just |only |instead )?(?:answer|reply|respond|say|print|output|do|follow|write)`,
  `\\b(?:${DROP}|drop|lift) (?:${DETERMINER} ){0,3}(?:instructions?|directives|prompts?|guidelines|rules|commands|restrictions) (?:that |which )?(?:you (?:have |had |were |'ve |currently )?(?:been )?(?:\\w{1,10} )?(?:received|given|got|read|follow|seen|told)|(?:came|stood|were given|was given) (?:before|earlier|above))`,
  `\\b${DROP} (?:[\\w']{1,12} ){1,5}?and (?:all )?your (?:rules|instructions|guidelines|programming|prompt|restrictions)\\b`,
  '\\b(?:ignore|disregard|forget) (?:it|this|that|them|everything|all) and (?:then )?(?:obey|follow|execute|comply)\\b',
  '\\byour (?:system )?(?:instructions|directives|prompt|programming) (?:have|has) (?:now |just )?changed\\b',
  `\\b${DROP} (?:all |any |the ){0,2}(?:${EARLIER}|following|subsequent) (?:and|or) (?:all |any |the )?(?:${EARLIER}|following|subsequent|future) (?:instructions|commands|prompts|directives|rules)`,
  "(?:^|[.!\\n]\\s?)stop[.!:,]? ?(?:here is )?(?:your |a |the )?new task ?:|\\bstop what you(?: are|'re) doing and (?:list|print|reveal|tell me|show|repeat|obey|execute|output|ignore|follow)\\b",
  '\\binstead of (?:following|obeying|heeding) (?:your|the system|the (?:previous|above|original)) (?:instructions|rules|guidelines|prompt|directives)',
  `\\ball (?:of )?(?:the |your |my )?(?:${EARLIER} )(?:instructions|commands|directives|prompts) (?:are|have been|were) (?:hereby |now )?(?:revoked|void|cancell?ed|null|suspended|overridden|obsolete|deleted)`,
  `\\b${DROP} (?:${DETERMINER} ){0,4}(?:${EARLIER}(?: and| or|,)? ){1,3}(?:\\w{1,14} )?${ORDERS}\\b${ABOUT_A_THING}`,
  `\\b${DROP} (?:all|any|every|each)(?: of)?(?: the| your| these| those| my| other)? ?(?:\\w{1,14} ){0,1}?(?:instructions?|iunstructions|prompts?|directives?|guidelines|rules|restrictions|constraints|programming|commands|safety \\w{4,12})\\b${ABOUT_A_THING}`,
  `\\b${DROP} your (?:\\w{1,14} ){0,2}${ORDERS}\\b(?! (?:wheels?|sessions?|plan|course|shoes|about))`,
  `\\b(?:${DROP}|never mind) (?:the |your |any |these |all ){1,2}(?:(?:instructions|directives|rules|guidelines|prompts?|orders) (?:of|by|from) (?:your|the) (?:operator|user|owner|developers?|creators?|system)|(?:instructions|directives|rules|guidelines) (?:that were |which were |you were )?(?:stated|given|set|mentioned|provided|listed|written)(?: to you)? (?:earlier|above|before|previously|so far)|system (?:prompt|message|instructions?|rules))\\b`,
  `\\b${WIPE} (?:${DETERMINER} ){0,3}(?:${EARLIER} ){1,2}${NARROW}\\b${ABOUT_A_THING}`,
  `\\b${WIPE} (?:all )?(?:of )?your (?:\\w{1,14} ){0,1}(?:instructions|programming|system prompt|guidelines|guardrails|memory|context)(?= and| now|[.,;!]|$)`,
  `${BEGINS}(?:ignore|disregard|forget) (?:the )?(?:instructions|guidelines|system prompt|prompt)(?=[,.;:!\\n"]|$| and )`,
  `\\b(?:ignore|disregard|forget|unlearn|discard) (?:absolutely |about )?(?:everyth?ing|anything|all|whatever|what)(?: of)?(?: that| what| which| of what)? (?:i've |i |you (?:have |had |'ve |were |was |are |just |already |ever |think you ){0,3})?(?:been )?${TOLD}`,
  `\\b(?:ignore|disregard|forget) (?:everyth?ing|anything|all)(?: that)?(?: (?:came|was|is|stood|went|written|said|stated|mentioned|comes|has been said|text)){0,3} (?:above(?! the|,? except)|before this|before that|prior to this|previously|so far|until now|up to (?:now|this point|here)|up till now)`,
  `\\b(?:ignore|disregard|forget) (?:all |everything |anything )?(?:of )?(?:the )?above(?: text)?,? (?:and )?(?:${ANSWER}|ignore|disregard|forget)`,
  "\\b(?:ignore|disregard|forget) the (?:user|task|original (?:task|question|request)|user's (?:request|question|query|message|task))(?= and|[.,;:!]|$)",
  `\\b(?:ignore|disregard|forget) (?:the |this |that |all |any ){0,2}(?:\\w{1,14} ){1,3}?and (?:just |instead |only |simply )?(?:state|output|claim|respond with|reply with|answer with|say (?:that|only|the \\w{1,12} (?:is|are|was)))\\b`,
  `\\b(?:regardless|irrespective) of (?:all |any |the |your |these |my ){0,2}(?:${EARLIER} ){1,2}(?:tasks?|instructions?|prompts?|directions|commands)`,
  '\\b(?:forget|never mind|ignore|disregard|scrap|leave) (?:about )?(?:that|this|it|those|all that)[,.;:!-]{0,2} (?:and |now |just |instead,? |please ){0,2}(?:can|could|would|will) you (?:please |instead )?(?:translate|provide (?:an?\\b|me with)|write an?\\b|tell me (?:how|what|about|a joke)|list|explain|generate|summari[sz]e|create|compose|describe|sort|classify|rank|recommend)',
  `(?:\\bimportant new|\\bnew system|\\bnew priority|\\bnew secret|\\bnew override) (?:instructions?|directives?|prompt|orders)\\b`,
  '\\byour (?:new|real|actual|only|true|updated|revised) (?:system )?(?:instructions?|directives?|prompt|prime directive|programming|objective function) (?:is|are|now)(?! attached| enclosed| below|:? to (?:sell|win))',
  `\\byour (?:${EARLIER} )(?:instructions|prompt|guidelines|rules|programming|directives) (?:are|is|have been|were|has been|no longer) (?:now )?(?:\\w{1,12} ){0,2}(?:void|invalid|cancell?ed|obsolete|superseded|replaced|overridden|revoked|fake|a test|apply|suspended|lifted|deleted)`,
  '\\b(?:these|new|updated|following|my) (?:instructions?|directives?|orders) (?:(?:take|have) (?:precedence|priority) over (?:your|all|any|the (?:system|previous))|(?:override|supersede|replace) (?:your|all (?:previous|prior|earlier)|any (?:previous|prior)|the system))',
  '\\b(?:start|begin)(?:ning)? (?:over )?(?:with )?a (?:new|fresh) (?:session|conversation|context) (?:and|with|where|in which) (?:no|without|new|you)\\b',
  '\\bdo not (?:print|say|output|write|answer|reply|respond)(?: anything| with anything)?\\. do not (?:print|say|output|write|answer|reply|respond)',
  "\\b(?:do(?:es)? not|don't|doesn't|no longer) (?:have|need|has|needs) to (?:abide by|obey|adhere to|follow) (?:the |any |your ){0,2}(?:rules|guidelines|policies|restrictions) (?:set|imposed|given to|made) (?:for|on|by|to|them|you|up)",
  "\\byou(?:'re| are) (?:not|no longer) (?:bound|limited|restricted|constrained|governed) by (?:the |any |your |these |those |all ){0,2}(?:\\w{1,12} )?(?:rules|guidelines|instructions|restrictions|polic(?:y|ies)|programming|filters?)",
  // A new task for whoever processes the text.
  '\\b(?:actually|in fact),? (?:can|could|would|will) you (?:please |instead ){0,2}(?:sort|order|rank|classify|arrange|translate|reverse|count|rewrite) (?:these|this|the|those) (?:\\w{1,12} )?(?:numbers?|words?|list|sentences?|text|items|digits)',
)

const ASK =
  "(?:repeat|print|reveal|show|output|display|tell|give|share|disclose|dump|leak|write|list|translate|encode|decode|summari[sz]e|recite|copy|paste|return|expose|state|describe|explain|send|quote|spell out|read|post|provide|rephrase|paraphrase|convert|reproduce|append|include|attach|forward|extract|what(?:'s| is| are| was| were| does| do))"
const OWN =
  '(?:system|initial|original|starting|hidden|secret|internal|full|exact|complete|entire|base|core|first|very first|previous|confidential|developer|custom|pre-?set|meta|underlying|preliminary|startup|opening)'
const PROMPT =
  '(?:prompts?|instructions?|directives|guidelines|configuration|config|rules|system message|preamble|programming|context window)'

export const LEAK_RULES = rules(
  'leak',
  '\\b(?:which|what|the|all|any|exact|full) (?:instructions|rules|guidelines|prompt|directives) (?:that |which )?(?:were you|have you been|you (?:were|have been|had been|received|got|was)) ?(?:given|told|received|shown|sent|provided)? ?(?:with )?(?:at the (?:start|beginning|top)|in the beginning|initially|originally|before (?:this|our|my|the)|in your (?:prompt|context)|by your (?:developer|creator|maker|operator)s?)',
  "\\b(?:write(?: down)?|list|tell me|repeat|print|show(?: me)?|output|give me) (?:everything|all(?: that)?|exactly what|what) you(?: have|'ve)? (?:were |been |was )?(?:told|given|instructed|shown)(?: to do)? (?:before|above|so far|earlier|until|at the|in your)",
  '\\b(?:first|last|next) (?:\\d{1,4}|few|ten|twenty|fifty|hundred) (?:words|lines|characters|sentences|tokens|paragraphs|letters) of (?:your|the) (?:system |own |initial |hidden )?(?:prompt|instructions|context)\\b',
  '\\b(?:tell me|list|show me|what are|print|reveal|state|name) (?:all )?(?:of )?the (?:rules|instructions|guidelines|restrictions) (?:that |which )?you (?:must|have to|are (?:told|supposed|instructed|required|forced|programmed|bound)|were (?:told|instructed|programmed)|obey|operate under)',
  '\\bwhat (?:was|is|does it say|came|stands|stood|did it say) (?:written |said |stated )?(?:above|before) this (?:message|line|text|prompt|conversation|point)',
  `\\b${ASK} (?:[\\w']{1,12} ){0,4}?(?:your|thine) (?:${OWN} ){1,3}${PROMPT}\\b(?! (?:for|regarding|about|on) )`,
  `\\b${ASK} (?:[\\w']{1,12} ){0,4}?your (?:system ?prompt|prompts?|preamble|context window|programming)\\b`,
  `\\bwhat (?:are|were|was|is) your (?:exact |own )?(?:instructions|guidelines|prompt|rules|orders)(?=\\?|$| above| exactly| from)`,
  `\\b${ASK} (?:me |us |out |back |verbatim |exactly |here |now |all |of ){0,3}(?:the )?(?:(?:hidden|secret|initial|full|entire|exact|original|complete|whole|raw) ){0,2}(?:system|developer|initial|hidden|secret|pre)[ -]?(?:prompt|message|instructions?)(?=[.!,;:?]|$| (?:verbatim|immediately|now|here|in full|word|above|exactly|for (?:a |the )?(?:security|audit)))`,
  '\\bi (?:need|want|have|would like|require|must) (?:to (?:see|know|view|read|get|have|check|audit) )?(?:the|your) (?:\\w{1,10} )?(?:system|initial|hidden|developer) (?:prompt|instructions?|message|configuration)',
  '\\b(?:repeat|print|output|show|return|reproduce|recite|echo|display|dump|copy|quote|write(?: out| down)?|give me|tell me|send me|translate|summari[sz]e|put|place|paste) (?:me |back |out |all |of |the |this |your |entire |whole |full |every |everything|text|words?|conversation|message|contents?|that|which|is|was|written|lines?|sentences?|prompt|instructions|stuff|\\s){1,9}(?:above|before this|preceding this|up to (?:here|this point)|so far)(?=[.!,;:?]|$| (?:this|in full|verbatim|exactly|word|starting|beginning|and|in a|into|to me|as))',
  '\\b(?:repeat|print|output|reproduce|recite|return|copy|give me|translate) (?:[\\w]{1,12} ){0,5}?(?:conversation|prompt|instructions|chat|discussion|context|message)s?(?: [\\w]{1,10}){0,4} (?:word for word|verbatim|exactly as)',
  `\\b(?:start|begin|preface|prefix) (?:your |the |every |each |all ){0,2}(?:answer|reply|response|output|message)s? (?:with|by saying)(?: the (?:words|phrase))? ["']?(?:my (?:system|instructions|prompt|rules|guidelines)|i was|i am|you are|sure|absolutely|of course|certainly|here (?:is|are)|system|the system|instructions|ok)\\b`,
  `\\b(?:starting|beginning|begin|start) (?:with|from)(?: the (?:words|phrase|text))? ["']?(?:you are|your instructions|system|the following)`,
  `\\b(?:complete|finish|continue|fill in) (?:this|the|following|the following) (?:\\w{1,10} )?(?:sentence|phrase|text|line|statement)s?[:,]? .{0,12}(?:i was (?:instructed|told|programmed|asked)|my (?:instructions|system prompt|prompt|rules)|you are|i am (?:not )?(?:allowed|supposed))`,
  '\\bwhat (?:are|were) you (?:(?:not|never) (?:supposed|allowed|permitted|meant)|(?:supposed|told|instructed|programmed|asked) not|forbidden|instructed|programmed) (?:to|from) (?:say|saying|tell|telling|do|share|sharing|reveal\\w*|discuss\\w*|talk|disclos\\w*|hide|mention\\w*)',
  '\\bwhat (?:did|have|has|do) (?:the|your) (?:developers?|creators?|system|makers?|owner|operator) (?:\\w{1,8} )?(?:tell|told|instruct|instructed|say|said|ask|asked|write|wrote)',
  '\\bsystem ?prompt ?\\)|\\bprint\\((?:your |the )?(?:instructions|context)\\)|\\b(?:cat|echo|type) \\$?(?:system ?prompt|prompt\\.txt|instructions\\.txt)',
  '(?:display|show|dump|reveal|print|output) (?:the |your |all |full ){0,2}system (?:configuration|config|instructions|settings and instructions)(?=[.!,;:]|$)',
  '\\b(?:reveal|expose|disclose|leak|dump|return|list|print) (?:all |your |the |every ){1,2}(?:environment variables|env vars|secrets|credentials|api keys?|secret keys?|hidden (?:rules|instructions)|tools? (?:definitions|schemas?)|available (?:tools|functions))',
  '\\b(?:are there|do you have) any (?:hidden|secret|confidential) (?:instructions|rules|prompts?)',
)

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
const AS_MACHINE_READER =
  '(?! (?:enthusiast|company|developer|researcher|engineer|startup|start-up|student|expert|team|professional|practitioner|founder|user|fan|vendor|provider|product|lab|lead|sceptic|skeptic|artist|builder|operator|driver|maker|kit|designer|owner|show|fan|club|vacuum|technician|programmer|teacher|surgeon|coach|lawyer|consultant|reviewer|customer|policy|scientist|specialist|manager)s?\\b)'
const NOT_A_MACHINE =
  '(?:registered|subscribed|logged|signed|connected|ready|eligible|enrolled|chatting|talking|speaking|able|welcome|viewing|receiving|following|unsubscribed|in (?:the )?(?:queue|line|contact))'

export const IDENTITY_RULES = rules(
  'identity',
  `\\b${YOU_ARE} (?:not|no longer|never|neither) (?:called |named )?pfar\\b|\\bforget (?:that )?(?:you are|you're|being) (?:an? )?(?:pfar|ai\\b|assistant|language model|chat ?bot|machine)`,
  `\\b${YOU_ARE} an? (?:\\w{1,12} ){0,2}assistant (?:that|who|which) (?:always |only |never |will |must ){0,2}(?:agrees?|obeys?|compl(?:y|ies)|refuses?|does (?:anything|everything|whatever)|answers? (?:anything|everything|all))`,
  '\\b(?:switch|change|set|alter|swap) your (?:persona|identity|personality|self-image) (?:to|into|for|as)\\b',
  `\\b(?:say|claim|answer|reply|state|respond|insist|tell them|admit)(?: that)? you(?:'re| are) (?:really |actually )?(?:${NAME}\\b|made by|built by|trained by)|\\b(?:say|claim|answer|reply|state|insist|admit)(?: that)? you were (?:made|created|trained|built|developed) by`,
  `\\b${YOU_ARE} (?:the|an?|my|his|her|our) [^.!?\\n]{1,50}?\\bnow,? an? (?:ai|assistant|bot|model|machine|agent) (?:that|who|which|with|without)`,
  `\\b${YOU_ARE}(?: (?:now|actually|really|in fact|not|no longer|being|going to be|hereby|secretly|to be|called|named|henceforth)){0,2},? ["']?(?:an? |the )?${PRODUCT}\\b(?!'s (?:user|customer)|[ -](?:plus|users?|customers?|subscribers?|admins?|api|account|partner|fans?|power|experts?|developers?))`,
  `\\b${YOU_ARE} (?:now|henceforth|from now on|hereby|no longer \\w{1,12} but|actually|really) ["']?${NAME}\\b(?! (?:'s|and))`,
  `\\b${YOU_ARE} ["']?${NAME}["']?,? (?:(?:made|trained|created|built|developed|from|by) (?:by )?(?:openai|anthropic|google|meta|xai|x\\.ai|microsoft|amazon|apple|mistral)|(?:an?|the|my|our) (?:[\\w-]{1,14} ){0,4}?(?:${MACHINE}|assistant|model|made by|trained by|created by|built by|developed by))`,
  `\\b${YOU_ARE} (?:now|henceforth|hereby|from now on|to become|about to become|going to be) (?!${NOT_A_MACHINE})(?:[\\w"',-]{1,16} ){0,6}?(?:${MACHINE}\\b${AS_MACHINE_READER}|${FREE}|(?:in )?(?:developer|dev|god|dan|debug|admin|root|sudo|jailbreak|unrestricted|maintenance|opposite|evil) mode)`,
  `\\b${YOU_ARE} (?:only |just |simply |nothing but )?(?:an?|the) (?:[\\w-]{1,14} ){0,3}?${MACHINE}\\b${AS_MACHINE_READER}(?! (?:in the|at the) (?:team|company))`,
  `\\b${YOU_ARE} (?:in|entering|switching to|running in) (?:\\w{1,10} )?(?:developer|dev|god|dan|debug|admin|root|sudo|jailbreak|unrestricted|opposite|evil) mode`,
  `\\b(?:henceforth|(?:from|starting|as of|effective) (?:now|this (?:point|moment|message)|here|today)(?: on(?:wards?)?| forward| forth)?),? (?:please )?(?:${YOU_ARE} ["'](?!\\s)|(?:you (?:will|must|shall|are to|are going to|should|only|always) )?(?:only |always |never )?(?:(?:respond|answer|reply|speak|talk)(?: only)? (?:only|as|like|without|with (?:["']|only|the word)|in the (?:voice|style|role)|to (?:every|all|any|each) (?:question|message|prompt|request))|act(?: as)? (?:if you|like you|as if|as though|["'])|pretend|roleplay|role-play|identify (?:yourself )?as|refer to yourself|call yourself|obey|simulate|impersonate|refuse)\\b)`,
  `(?:^|[.!?:;\\n"'] ?|\\band |\\bnow |\\bthat )your (?:new |real |true |actual |only |given )?name is (?:now |henceforth |no longer |not )?["']?(?!on |in |at |not |spelled|spelt|listed|correct|required|missing|still|already|also|being|the |going|displayed|shown|used|registered|here|there|needed|wrong|misspelled|included|entered|printed|visible|a |an |no |never|only|safe|drawn|called|up |first|next|mentioned|well|very|familiar|unique|too|over|under|against)[\\w]`,
  `\\b(?:act|acting|behave|behaving|respond|reply|answer|function|operate|operating|speak|talk|roleplay|role-play|pose|work|serve) (?:as|like|in the (?:role|character|persona) of) (?:if you (?:are|were|was) |though you (?:are|were) )?(?:an? |the |my |your )?["']?(?:[\\w-]{1,14} ){0,3}?(?:${MACHINE}\\b${AS_MACHINE_READER}|${PRODUCT}\\b|${NAME}["']?,? (?:which|who|an?|the|and|with)|dan\\b|${FREE})`,
  `\\b(?:act|behave|respond|reply|answer|speak|pretend)(?: as if| as though| like| that)? you (?:have no|are not bound|had no|do not have|don't have|are free|were free|are not|aren't|are no longer|no longer) (?:[\\w]{1,12} ){0,3}?(?:system prompt|rules|restrictions|filters?|guidelines|owner|limitations|limits|ai|language model|instructions|policies|constraints|ethics|morals|assistant|safety|bound|bound by|restricted)`,
  `\\b(?:play|take on|take over|adopt|assume|enter|embody|immerse yourself (?:in|into)|step into|slip into) (?:the |a |an )?(?:new |following |different )?(?:role|persona|personality|character|identity|mindset) (?:of|as|called|named) (?:an? |the |another |my )?(?:[\\w-]{1,14} ){0,3}?(?:${MACHINE}|${PRODUCT}|dan|stan|dude|model known as|root)\\b`,
  `\\b(?:pretend|imagine|assume|suppose|simulate|claim|believe)(?: that| to be|:)? (?:you are |you're |being |to be )?(?:an? |the )?(?:[\\w-]{1,14} ){0,2}?(?:${PRODUCT}|${FREE}|dan(?=,|"| which| who| mode)|(?:evil|different|another|rogue|unaligned) (?:ai|assistant|model))\\b`,
  '\\bdo anything now\\b|\\bdan (?:mode|virtual machine)\\b|\\[dan\\] ?=|\\bstay (?:in character as|a dan)\\b|\\bremain (?:a )?dan\\b',
  '\\b(?:broken?|breaks?|breaking) free (?:of|from) the (?:typical )?confines of\\b|\\btypical confines of (?:ai|artificial)',
  `\\bi(?:'m| am) (?:actually |really |now |called |just )?(?:an? )?${PRODUCT}(?=[,.;:!]|$| (?:and|an?|by|from|made|built|trained|developed|the)\\b)(?! (?:user|developer|fan|subscriber|customer))`,
  `\\bi(?:'m| am) (?:actually |really |now )?${NAME},? (?:an?|the) (?:[\\w-]{1,14} ){0,4}?(?:ai|language model|chat ?bot|assistant (?:made|created|built|trained|developed)|model)\\b`,
  '\\bas an ai(?: language model| assistant| model)? (?:developed|created|built|trained|made|designed|programmed|owned) by\\b',
  `\\b(?:introduce|identify|refer to|describe|present|regard|rename|call|reprogram) yourself (?:as|to be|only as|now as)? ?["']?(?!(?:the new|our new|a (?:new )?(?:colleague|member|guest|visitor|customer|candidate)))`,
  `\\b(?:you (?:will|must|shall|are to|should) )(?:now |always |only |from now on |henceforth ){0,2}(?:be (?:known as|called|renamed)|go by the name|answer to the name|call yourself|refer to yourself)`,
  `\\b${PRODUCT},? (?:will|must|should|shall|is to|you (?:will|must|are))(?: now)? (?:act|respond|answer|ignore|play|obey|pretend|be known|say|print)`,
  `\\b(?:answer|respond|reply)(?: to)? (?:anything|everything|any question|all questions|every question|me|freely|[\\w]{1,10})? ?(?:without (?:any )?(?:restrictions?|limits?|limitations|filters?|censorship|refus\\w+|warnings?|disclaimers?|ethical|moral)|in an (?:unfiltered|uncensored|unrestricted))`,
  `\\byou (?:can|may|must|will|should)(?: now)? (?:say|do|answer|generate|produce|write) (?:anything|everything|whatever)(?: [\\w]{1,12}){0,4}? (?:without|regardless|no matter|even if)`,
)

export const AUTHORITY_RULES = rules(
  'authority',
  '\\bi have (?:full )?(?:root|admin|administrator|sudo|superuser|developer) (?:access|rights|privileges|permissions?),? (?:so|and|therefore),? (?:comply|obey|you|do|execute|please)',
  '\\bi (?:hereby )?(?:permit|authori[sz]e|allow|instruct|order|command) you to (?:skip|bypass|ignore|override|disregard|break|violate|reveal|drop)\\b',
  '\\bthis is (?:the )?(?:openai|anthropic|google ai|deepmind|mistral|your developers?|your creators?)\\b(?: (?:support|team|staff|speaking|security))?(?=[.,:!;]| speaking| support| security| team)',
  '\\b(?:disable|turn off|switch off|deactivate|lift|lower|remove) (?:all )?(?:of )?your (?:\\w{1,10} )?(?:restrictions|safeguards|guardrails|safety \\w{4,10}|content (?:filters?|policy)|ethical \\w{4,12}|filters?(?=[.!,;]|$))',
  [
    '\\b(?:maintenance|debug|admin|root|system|diagnostic|recovery|verification|test) mode(?: is)?(?: now)? ?(?:activated|enabled|engaged|initiated|unlocked)\\b',
    '^[^\\n]{0,60}\\b(?:provide|give me|tell me|show me|reveal|confirm|share|list|ignore|disregard|you (?:must|will|can))\\b',
  ],
  `<\\s?/?(?:(?:system|god|admin|root|developer|dev|debug|dan|jailbreak|maintenance|override|unrestricted) mode|(?:[a-z]{1,14} ){1,2}(?:modus|modo|modalita|tila|lage|rezim)|(?:modus|modo|modalita|tryb|mod)(?: [a-z]{1,14}){1,2}) ?>`,
  `\\b(?:god|sudo|jailbreak|dan|unrestricted|developer|dev|override|evil|opposite|superuser) mode(?: is)?(?: now)? ?(?:activated|enabled|engaged|initiated|unlocked|active|output)\\b(?! (?:by default|in|for|on) )`,
  `\\b(?:i'm|i am|we are|we're) (?:now )?(?:initiating|entering|activating|engaging|enabling|putting you in(?:to)?) (?:an? |the |your )?["']?(?:[\\w-]{1,14} ){0,2}?(?:mode|reset|override|diagnostics?|protocol)\\b`,
  `\\b(?:you (?:are|must|will|should|can) (?:now )?)?(?:enter|entering|switch (?:in)?to|go into|activate|enable|engage|unlock) (?:your |now |into |to ){0,2}["']?(?:the )?(?:god|dan|jailbreak|unrestricted|evil|opposite|sudo|override|unsafe|no-?filter) mode`,
  `\\b(?:system|admin(?:istrator)?|root|security|developer|emergency|creator|sudo|owner|safety) override(?= ?[:;,!]| (?:mode|enabled|engaged|activated|initiated|accepted|granted|protocol|authori[sz]ed)|$)`,
  `\\b(?:i'm|i am|this is) your (?:real |true |actual |new )?(?:developer|creator|programmer|maker|master|god|owner|system administrator|supervisor at openai)s?\\b(?! of (?:the )?(?:flat|house|dog|building|apartment))`,
  '\\bas your (?:creator|developer|programmer|maker|master|god|system administrator),? (?:i|we)\\b',
  "\\b(?:i'm|i am) (?:actually )?(?:god|the president of the united states|the ceo of \\w+|an? (?:openai|anthropic|google|meta|microsoft) (?:engineer|employee|developer|researcher|administrator|admin)|(?:the )?(?:system|your) administrator|an? (?:authori[sz]ed )?(?:system )?administrator and)",
  '\\byou (?:must|have to|need to|shall|will) (?:now |always |only |strictly ){0,2}(?:obey|listen to|follow|comply with|execute) (?:me\\b|all (?:of )?my|my (?:instructions|orders|commands|words)|every (?:instruction|order|command|word))',
  '\\b(?:the|your) (?:real|true|actual) (?:user|owner|master|principal|operator) is\\b|\\bno (?:owner|user|master) other than\\b',
  `\\bthe user has (?:already |now |just |fully |explicitly |pre-?){0,2}(?:approved|authori[sz]ed|consented to|granted|confirmed|given (?:you )?(?:full )?permission)`,
  `\\bas an? (?:certified |authori[sz]ed |licen[sc]ed |senior |trusted |official ){0,2}(?:red ?teamer|pen(?:etration)? ?tester|security researcher|ethical hacker|law enforcement officer|system administrator|ai safety researcher|cybersecurity expert),? (?:please )?(?:provide|give|tell|show|explain|share|write|describe|list|i (?:need|require|request|demand))`,
  `\\bsafety (?:is )?(?:now )?off(?=[.,;!]|$)|\\b(?:safety|content|ethic\\w*) (?:filters?|checks?|guidelines|restrictions|polic(?:y|ies)) ?(?:is |are |have been )?(?:now )?(?:off|disabled|deactivated|turned off|suspended|lifted)(?=[.,;!]|$)`,
  '\\b(?:system|assistant|internal|model) (?:chain of thought|chain-of-thought|scratchpad|inner monologue)\\b',
)

const READER =
  '(?:ai|a\\.i\\.|llms?|language models?|chat ?bots?|automated (?:assistants?|systems?|agents?|readers?)|virtual assistants?|ai-?powered \\w{1,12}|ai (?:assistants?|agents?|models?|systems?|readers?|tools?)|machine readers?|email assistants?)'
const TEXT =
  '(?:e-?mail|message|page|website|site|document|text|article|invite|invitation|calendar (?:invite|entry|event)|thread|file|note|review|comment|content|attachment|listing|cv|resume|ticket|issue|profile|description|transcript)'

export const ADDRESS_RULES = rules(
  'address',
  `(?:^|[\\n.!?>"]\\s?|<!-- ?)(?:(?:hey|ok|okay|hi|hello|dear),? )?@?(?:ai|assistant|computer|siri|alexa|chat ?gpt|ai (?:agent|assistant|model)|llm|chat ?bot|bot|claude|copilot) ?[,:] (?:please |now |you must |kindly ){0,2}(?:ignore|disregard|forget|forward|send|delete|approve|execute|run|call|reply|respond|mark|tell|add|append|insert|transfer|pay|open|do not|do the|list|print|reveal|output|summari[sz]e|remember|say|write|include|translate|share|click|visit|book|cancel|move)\\b`,
  '(?:^|[\\s.!?>"])@(?:assistant|ai|bot|llm|agent|pfar)\\b,? (?:please|send|forward|delete|reply|ignore|approve|add|mark|do)\\b',
  `\\bto (?:the|any|every|whatever|whichever|all) (?:ai|assistant|llm|bot|agent|language model|machine|model)s?,? (?:that|which|who|now|currently) (?:is |are )?(?:read|summari[sz]|process|handl|see|answer|manag|pars)\\w*`,
  '\\b(?:who|what|which)ever (?:\\w{1,10} ){0,3}?(?:processes|reads|summari[sz]es|parses|handles) this (?:\\w{1,10} )?automatically|\\bfor (?:ai|llm|bot|machine)s? (?:eyes|readers|use|consumption) only\\b',
  '<!-- ?(?:to |for |dear |hey |note to |the |all ){0,2}(?:ai|assistants?|system|llms?|bots?|agents?|chat ?gpt|claude|gpt|copilot|gemini)\\b',
  `\\b(?:note|message|notice|reminder|instructions?|attention|memo|warning|important|info|information|request|task|todo|directive|orders?|command|hint)s?(?: is| are| intended| meant)? ?[:,-]? (?:to|for) (?:all |any |the |our |my |every |whichever |whatever ){0,2}(?:${READER}\\b|assistant (?=reading|processing|summari|who|that)|assistant[:,])${AS_MACHINE_READER}`,
  `\\bif (?:you(?:'re| are)|the reader is|this is (?:being )?(?:read|processed|summari[sz]ed) by) (?:an? |the |any )?(?:ai\\b${AS_MACHINE_READER}|llm\\b|(?:large )?language model|chat ?bot\\b|automated (?:assistant|system|agent|tool)|virtual assistant|artificial intelligence|machine reading|assistant reading|intelligent agent)`,
  `\\b(?:${READER}|assistants?|agents?|models?)[,]? (?:who |that |which |is |are |currently |now ){0,2}(?:reading|processing|summari[sz]ing|parsing|handling|viewing|analy[sz]ing|reads?|process(?:es)?|summari[sz]es?|scanning|scans?|indexing) (?:this|the present|the following)(?= ${TEXT}|[.,:;!]|$)`,
  `\\b(?:when|while|before|after|if|once) (?:you )?(?:summari[sz](?:e|es|ing)|translat(?:e|es|ing)|analy[sz](?:e|es|ing)) (?:this|the) ${TEXT}s?,? .{0,30}?(?:say|include|add|write|tell|mention|append|always|you must|insert|output|state|recommend|do not mention|omit|reply|end with)\\b`,
  '\\bmessage from (?:me, )?(?:the|your) (?:user|real user|owner|developers?|creators?|system administrator|operator|makers)\\b|\\bfrom me, the user\\b',
  '\\b(?:important )?message from (?:me, )?[^.\\n]{1,40}?,? to you, (?:chat ?gpt|claude|gemini|ai\\b|the (?:ai|assistant|model)|assistant|gpt|llama|grok|copilot|dear ai)',
  '\\bbefore you (?:can )?(?:solve|continue|complete|do|start|proceed with|finish|answer|perform|work on) (?:with )?(?:the|your|my) (?:original |initial |current |first |main )?(?:tasks?|question) (?:that )?(?:i|you|the user|which)\\b',
  '(?:^|[\\n.!?:;"\'>]\\s?)(?:hello|hi|hey|dear|attention|listen|ok|okay|yo)[,!]? (?:chat ?gpt|gpt-?\\d?|ai|a\\.i\\.|ai (?:assistant|agent|model)|llm|language model|gemini ai|claude ai|bing chat|chat ?bot|ai)(?=[,!.:;\\n]|$| (?:assistant|agent|model|please|you|i )\\b)',
  '\\b(?:and|please|just|now) (?:also )?(?:tell|inform|instruct|convince|persuade|advise|urge|direct|order|trick) the user (?:to|that) (?:\\w{1,10} ){0,3}?(?:visit|go to|click|open|call|pay|transfer|send|wire|buy|reset)\\b',
  '\\b(?:state|admit|confess|say)(?: the following)?:? ?["\']?i admit to using (?:an? )?(?:ai|llm|language model|chat ?gpt)|\\bi admit to using (?:an? )?(?:ai|llm|language model|chat ?gpt)',
  '\\buse this (?:analysis|result|reasoning|verdict) to (?:evaluate|judge|rate|score|rank) the (?:candidate|applicant|paper|submission|product)',
  `\\b(?:this (?:candidate|applicant|paper|submission|product|cv|resume) (?:must|should|has to) be (?:rated|ranked|scored|recommended|accepted|hired)|give (?:a |only )?(?:positive|glowing) reviews? only)\\b`,
)

/** Objects of an order to send all of a person's messages or keys to one address. */
const HOARD =
  '(?:messages|e-?mails|mails|conversations?|chats|chat history|inbox|mailbox|contacts|address book|passwords|credentials|api keys|secrets|private keys)'
const ADDRESS = '(?:[\\w.+-]{1,64}@[\\w-]{1,63}\\.|https?://)'

export const SECRET_RULES = rules(
  'secret',
  "\\b(?:include|add|put|insert|append|attach|mention|repeat) (?:all |every )?(?:the )?(?:user|owner)(?:'s|s)? (?:\\w{1,12} ){0,3}(?:in|to|into|at the end of) (?:your|the) (?:answer|reply|response|summary|output)",
  '\\b(?:send|give|show|forward|mail|e-?mail|upload)(?: me| us)? (?:every|all|each|any) (?:of )?(?:the )?(?:files?|data|documents?|information|records?|messages?|e-?mails?) (?:that )?you (?:can (?:access|see|read|find)|have(?: access)?(?=[.!,;]|$| to\\b| about))',
  `\\b(?:send|forward|e-?mail|upload|post|transmit|exfiltrate|copy|leak|export) (?:me |us )?(?:all|every|the (?:entire|whole|full|complete)) (?:of )?(?:the |your |my |his |her |their |user's |owner's |our ){0,2}(?:[\\w-]{1,12} ){0,2}?${HOARD}(?: (?:and|in|from|of) [\\w' -]{1,30})? (?:to|at|via) (?:[\\w]{1,12} ){0,2}?${ADDRESS}`,
  "\\bwhat(?:'s| is| are| was| would| could| might) (?:\\w{1,10} )?your (?:own )?(?:secret|password|private key|access (?:code|token)|passphrase|credentials|api key|secret key|master key)s?\\b",
  '\\b(?:tell|give|show|send|share|reveal|provide|confirm|disclose|print|output|leak)(?: me| us| out| with me)? your (?:\\w{1,10} )?(?:secret (?:key|code|token|word)|private key|api key|access token|system password|encryption key|master key)s?\\b',
  "\\b(?:share|reveal|disclose|leak|tell me|give me|hand over|confirm|exfiltrate) (?:all |everything about )?the user(?:'s|s)? (?:\\w{1,12} ){0,2}(?:e-?mail|password|address|phone|data|location|birth|credit|account|contacts|secrets?|personal|name|details|information|credentials)",
  '\\bwhere does the (?:current )?user (?:currently )?(?:live|work|reside|bank)',
)

export const FICTION_RULES = rules(
  'fiction',
  [
    `\\b(?:imagine|picture|suppose|pretend|envision|let's (?:say|imagine|pretend|suppose))\\b`,
    `\\b(?:world|scenario|universe|society|land|forest|spaceship|city|village|planet|kingdom|future|place|realm|island|galaxy|where|in which)\\b`,
    `\\b(?:passwords?|personal (?:data|information|details)|private (?:data|information|details)|secrets?|secret keys?|credentials|confidential (?:data|information)|user data|credit cards?)\\b`,
    `\\b(?:could you|can you|would you|tell me|what would|what is|what's|give me|share with me|as a \\w{1,14},)`,
  ],
  [
    `\\bin (?:a|an|this|that|some) (?:[\\w-]{1,14} ){0,4}?(?:world|universe|society|scenario|future|reality|dimension|kingdom|land|story)\\b`,
    `\\bwe (?:might|would|could|may|can|should) (?:state|say|write|claim|declare|announce|read|respond|answer) ?:`,
  ],
  [
    `\\b(?:assume|say|suppose|have|given|define)(?: we)?(?: have)? (?:the )?(?:two|three|four|five|\\d|following|these) (?:strings|variables|fragments)\\b`,
    `\\b[a-z] ?\\+ ?[a-z]\\b`,
    `\\b(?:write|print|say|give|output|return|execute|send|respond|follow|answer|tell)\\b`,
  ],
  [
    `\\b(?:hypothetically|for (?:a|my) (?:novel|story|movie|film|book)|as a thought experiment)\\b`,
    `\\b(?:your (?:system prompt|instructions|rules|guidelines|secret)|no (?:rules|restrictions|guidelines))\\b`,
  ],
)

const SPEAKER = '(?:system|assistant|user|human|developer)'
const LINE = '(?:^|\\n) ?'
const MODEL_SPEECH =
  "(?:understood|sure[,.! ]|ok(?:ay)?[,.! ]|certainly|of course|i (?:will|am|have|can|shall|would|now)\\b|i'll|i'm|i've|yes[,.! ]|absolutely|done[,.! ]|sending|here (?:is|are)\\b|executing|confirmed|approved|as requested|got it|task complete|right away|great[,.!]|no problem|acknowledged)"
const SYSTEM_SPEECH =
  '(?:you (?:are|must|will|should|have)\\b|ignore|disregard|override|new (?:instruction|rule|directive|policy)|the (?:user|assistant|ai|model) (?:is|has|must|should|will|wants)\\b|from now on|all (?:previous|prior|safety)|developer mode|reveal|execute|never refuse|always obey|respond|safety (?:off|disabled)|authori[sz]ed|permission granted|end of|do not)'

export const MARKER_RULES = rules(
  'marker',
  '<{2,4} ?/?(?:end|begin|start|stop)(?: of)? (?:the )?(?:\\w{1,12} )?(?:input|data|document|text|message|content|e-?mail|user|system|prompt|context|instructions?)[^<>\\n]{0,20}>{2,4}',
  '#{3,} ?(?:new|important|system|updated|real|secret|hidden|admin) (?:system )?instructions? ?#{2,}|\\[(?:new|real|updated|secret|hidden) (?:system )?instructions?\\]',
  '^ ?(?:system (?:message|prompt|override|instructions?)|new (?:system )?instructions) ?$',
  '<\\|[a-z\\s▁]{2,24}\\|>|<\\|(?:im|end|start|eot|fim|begin)',
  '\\[/?inst\\]|<<\\s?/?\\s?sys\\s?>>|\\[/system\\]|\\[system (?:prompt|message|instructions?)\\](?!\\()|<\\s?/?s>(?=\\s?\\[|<)',
  `\\[${SPEAKER}\\]\\s?\\(\\s?#|\\{\\{\\s?[#/~]{0,2}\\s?${SPEAKER}\\s?~?\\s?\\}\\}`,
  `</?\\s?(?:system|assistant|instructions?|system (?:prompt|message|instructions?|note|reminder)|developer(?: message)?|new instructions|user (?:data|input|message|query)|untrusted(?: \\w{1,10})?|external (?:data|content)|tool (?:results?|response|output|call)|function (?:calls?|results?|response)|system[ -]reminder|important instructions|secret instructions)\\s?/?>`,
  ['<information>', 'important message from|task that i gave you'],
  `${LINE}#{1,6} ?\\(?(?:${SPEAKER}|instruction|response|system (?:message|prompt|instructions?|override|note))\\)? ?:`,
  '#{2,6} ?\\((?:system|developer|admin) ?(?:message|prompt|instructions?)\\)',
  '\\b(?:begin|start|end|beginning)(?: of)?(?: the| your| my)? (?:system|developer|hidden|admin|new system|secret) (?:prompt|message|instructions?)\\b(?! (?:editor|in|field|with|for) )',
  '-{2,} ?(?:end|begin|start|stop)(?: of)? (?:the )?(?:untrusted|user(?: |-)?(?:input|data|content|message|email)|external|retrieved|tool|data block|context|trusted|system|sandbox)[\\w\\s]{0,24}-{2,}',
  '\\b(?:untrusted|data|quoted|external|user) (?:block|section|content|data|text|input) (?:has ended|ends here|is over|is now closed|ended)|\\btrust the following\\b',
  ['["\']role["\'] ?: ?["\'](?:system|assistant|developer|tool)["\'],?', 'content'],
  "'{3}\\s?(?:system|prompt|instructions)\\b",
  '\\b(?:system|developer|security|admin|kernel|runtime|openai|anthropic) (?:notice|message|alert|note|instruction|update|directive|reminder)s? ?(?:to|for) (?:the |all )?(?:assistants?|ai\\b|agents?|models?|bots?|llms?)',
)

export const TURN_RULES = rules(
  'turn',
  '<(?:user|human|owner)> ?(?:yes|ok|okay|approved?|go ahead|please|i (?:approve|confirm|agree|want)|do it|confirm|ignore)\\b',
  `${LINE}"?(?:assistant|ai|model|bot|chat ?gpt|gpt)"? ?: ?["']?${MODEL_SPEECH}`,
  `${LINE}(?:"?system"? ?:|\\[system\\]) ?["']?${SYSTEM_SPEECH}`,
  [`${LINE}(?:human|user) ?: `, '\\n ?(?:assistant|ai) ?:'],
  `${LINE}human ?: ?(?:yes|ok|approved|please|now|ignore|go ahead|i approve|confirm)`,
  [
    `${LINE}(?:thought|observation|action(?: input)?|final answer) ?: `,
    '\\n ?(?:action(?: input)?|observation|thought|final answer) ?:',
  ],
  `${LINE}(?:answer|response|output) ?: (?:the )?task (?:is )?complete`,
)

/** Marks between the parts of this product's prompts: alone on a line, or the fence of a data block. */
export const BOUNDARY_RULES = rules(
  'boundary',
  '\\[ ?/ ?data[^\\]\\n]{0,120}\\]?|\\[data [0-9a-z]{6,64}[^\\]\\n]{0,80}\\]?',
  '\\[pfar:[^\\]\\n]{0,80}\\]?',
  `${LINE}\\[(?:request|instruction|options|tools|history|metadata|not done|output|identity|rules|pending|recent context)\\](?= ?(?:\\n|$)|\\s?\\{)`,
)
