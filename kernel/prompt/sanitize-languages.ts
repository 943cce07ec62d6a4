/**
 * The commonest directives in other languages in Latin script: "drop the earlier instructions", "you are now …", a claimed
 * maker, a request for a key (S002 §4.1). Spelled without accents, like the view. Verb and object alone do not match: a word
 * for "earlier", "above" or "all" is required. Holds rules only. Called by sanitize-find.ts.
 */
import { type Rule, rules } from './sanitize-rule.ts'

interface Tongue {
  readonly drop: string
  /** Words allowed in between. */
  readonly between: string
  readonly earlier: string
  readonly orders: string
}

const TONGUES: readonly Tongue[] = [
  // German
  {
    drop: 'ignorier(?:e|en|t)?(?: sie)?|missachte[nt]?(?: sie)?|vergiss|vergessen sie|vergesst|uberspring\\w*|verwirf|verwerfen sie|umgehe|lass|lassen sie|setze?n? sie|setze|befolge(?:n sie)? nicht|beachte(?:n sie)? nicht',
    between:
      'alle[nrs]?|samtliche\\w*|jegliche\\w*|die|den|der|das|deine\\w*|ihre\\w*|eure\\w*|bitte|nun|jetzt|hiermit|dir|ihnen|gegebene\\w*',
    earlier:
      'vorherige\\w*|vorige\\w*|bisherige\\w*|fruhere\\w*|vorangegangene\\w*|vorangehende\\w*|vorhergehende\\w*|obige\\w*|obenstehende\\w*|ursprungliche\\w*|anfangliche\\w*|alle\\w*|samtliche\\w*|deine\\w*',
    orders:
      'anweisung\\w*|instruktion\\w*|befehle?n?|regeln?|vorgaben|anleitungen|richtlinien|aufforderung\\w*|prompts?|weisungen|auftrage\\w*|systemprompts?|systemanweisung\\w*',
  },
  // French
  {
    drop: 'ignore[zr]?|oublie[zr]?|neglige[zr]?|ne (?:tiens|tenez|tenir) (?:pas|aucun) compte|fais abstraction|faites abstraction|contourne[zr]?|outrepasse[zr]?|mets de cote|mettez de cote|desobei\\w*|ne (?:suis|suivez) (?:pas|plus)',
    between: "toutes?|tous|les|vos|tes|de|des|ces|mes|ton|votre|d'|l'ensemble|tout",
    earlier:
      "precedente?s?|anterieure?s?|ci-dessus|initiale?s?|prealables?|passees?|d'origine|toutes?|qui precedent",
    orders: 'instructions?|consignes?|directives?|regles|ordres|commandes|invites?|taches',
  },
  // Spanish
  {
    drop: 'ignora[dr]?|ignore[n]?|olvida[dr]?(?:te de)?|olvide[n]?|descarta|descarte|desestima|desestime|omite|omita|(?:haz|haga|hacer) caso omiso(?: de)?|no hagas caso (?:a|de)|pasa por alto|desobedece|no sigas',
    between: 'todas?|todos|las?|los|tus|sus|mis|de|estas|esas|cualquier|por completo',
    earlier:
      'anteriore?s?|previa?s?|previos|precedentes|de arriba|inicial(?:es)?|originale?s?|dadas|recibidas|todas|que (?:te|le) (?:han|hayan|dieron)',
    orders:
      'instruccion(?:es)?|indicaciones|ordenes|reglas|directrices|directivas|comandos|normas|pautas|consignas|prompts?',
  },
  // Portuguese
  {
    drop: 'ignore[m]?|ignora[r]?|esqueca[m]?|esquece[r]?|desconsidere[m]?|desconsidera[r]?|despreze|descarte|nao siga|deixe de lado|desobedeca',
    between: 'todas?|todos|as?|os?|suas?|seus|tuas|de|das|essas|estas|quaisquer|por completo',
    earlier:
      'anterior(?:es)?|previa?s?|precedentes|acima|inicia(?:l|is)|origina(?:l|is)|dadas|todas|recebidas',
    orders: 'instruc(?:ao|oes)|ordens|regras|diretrizes|directrizes|comandos|orientacoes|indicacoes|prompts?',
  },
  // Italian
  {
    drop: 'ignora(?:te|re)?|ignori|dimentica(?:te|re)?|dimentichi|trascura(?:te)?|non (?:seguire|considerare|seguite)|tralascia(?:te)?|scarta(?:te)?|disobbedisci|lascia perdere',
    between: 'tutte|tutti|le|gli|la|i|tue|tuoi|vostre|di|queste|qualsiasi|ogni|alle|delle',
    earlier: 'precedent[ei]|anteriori|sopra|di cui sopra|inizial[ei]|original[ei]|ricevut[ei]|tutte',
    orders: 'istruzion[ei]|indicazioni|direttive|regole|ordini|comandi|consegne|linee guida|prompt',
  },
  // Dutch
  {
    drop: 'negeer|negeren|vergeet|vergeten|sla|omzeil|verwerp|volg niet',
    between: 'alle|de|je|uw|jouw|al|deze|dan|nu|maar',
    earlier: 'voorgaande|vorige|eerdere|bovenstaande|oorspronkelijke|voorafgaande|alle',
    orders: 'instructies?|aanwijzingen|regels|richtlijnen|bevelen|opdrachten|prompts?',
  },
  // Polish
  {
    drop: 'zignoruj\\w*|ignoruj\\w*|zapomnij\\w*(?: o)?|pomin\\w*|odrzuc\\w*|zlekcewaz\\w*',
    between: 'wszystkie|wszystkich|swoje|twoje|o|te|o',
    earlier: 'poprzedni\\w*|wczesniejsz\\w*|powyzsz\\w*|dotychczasow\\w*|wszystki\\w*',
    orders: 'instrukcj\\w*|polece\\w*|wytyczn\\w*|zasad\\w*|rozkaz\\w*|regul\\w*',
  },
  // Swedish, Norwegian, Danish
  {
    drop: 'ignorera|ignorer|glomm?|glem|bortse fran|se bort fra|overse|strunta i|tilsidesaet|tilsidesett',
    between: 'alla|alle|dina|dine|de|det|bort|alt|om',
    earlier:
      'tidigare|foregaende|tidligere|foregaaende|forrige|ovanstaende|ovenstaende|forutgaende|alla|alle',
    orders:
      'instruktion\\w*|instruksjon\\w*|instruks\\w*|anvisning\\w*|regle[rn]?\\w*|order|ordrer?|kommando\\w*|beskjeder',
  },
  // Czech, Slovak
  {
    drop: 'ignoruj\\w*|zapomen\\w*(?: na)?|zabudni\\w*(?: na)?|prehlednete|pomin\\w*|nedbej\\w*(?: na)?',
    between: 'vsechny|vsetky|vsechna|sve|svoje|na|tyto',
    earlier: 'predchozi\\w*|predchadzajuc\\w*|predesl\\w*|vyse uveden\\w*|drivejsi\\w*|vsechn\\w*|vsetk\\w*',
    orders: 'instrukc\\w*|pokyn\\w*|prikaz\\w*|pravidl\\w*',
  },
  // Romanian
  {
    drop: 'ignora(?:ti)?|uita(?:ti)?|nu (?:tine|tineti) cont de|nesocote\\w*',
    between: 'toate|tot|orice|de',
    earlier: 'anterioare|precedente|de mai sus|initiale|toate',
    orders: 'instructiuni(?:le)?|regul(?:i|ile)|comenzi(?:le)?|indicatii(?:le)?',
  },
  // Hungarian
  {
    drop: 'hagy(?:d|ja|jatok) figyelmen kivul|felejts(?:d|e) el|ignoral(?:d|ja)|mellozd',
    between: 'az?|osszes|minden',
    earlier: 'korabbi|elozo|fenti|osszes|eddigi',
    orders: 'utasitas\\w*|szabaly\\w*|parancs\\w*',
  },
  // Finnish
  {
    drop: 'ohita|unohda|jata huomiotta|jata huomioimatta|ala noudata|sivuuta',
    between: 'kaikki|kaikista',
    earlier: 'aiemmat|aiempia|edelliset|edellisia|aikaisemmat|ylla olevat|kaikki',
    orders: 'ohjee?t|ohjeita|ohjeista|maaraykset|kaskyt|saannot',
  },
  // Indonesian, Malay
  {
    drop: 'abaikan|lupakan|hiraukan|kesampingkan|jangan ikuti',
    between: 'semua|segala|seluruh|tentang|apa pun|yang',
    earlier: 'semua|segala|seluruh|sebelumnya|di atas|terdahulu|awal|anda',
    orders: 'instruksi|perintah|arahan|petunjuk|aturan|peraturan|panduan',
  },
  // Vietnamese
  {
    drop: 'bo qua|quen|phot lo|khong quan tam|hay bo|lo di|dung lam theo',
    between: 'di|tat ca|moi|cac|nhung|het|toan bo|den',
    earlier: 'tat ca|moi|toan bo|nhung|truoc(?: do| day)?|ben tren|o tren',
    orders: 'huong dan|chi dan|chi thi|quy tac|menh lenh|lenh|quy dinh|loi nhac',
  },
  // Tagalog
  {
    drop: 'kalimutan|huwag (?:mong |ninyong )?pansinin|balewalain|ipagwalang-?bahala|isantabi|ignorahin|huwag sundin',
    between: 'mo|ang|ninyo|lahat|ng|mga|iyong|na|niyo',
    earlier: 'naunang|nakaraang|dating|lahat|nauna|naunahang|sinabi',
    orders: 'tagubilin|utos|panuto|instruksyon|patakaran|direksyon|alituntunin|panuntunan',
  },
  // Swahili
  {
    drop: 'puuza|puuzia|sahau|usifuate',
    between: 'yote|ya|hayo',
    earlier: 'awali|yaliyotangulia|hapo juu|yote|zilizopita',
    orders: 'maagizo|maelekezo|amri|kanuni',
  },
]

function dropRules({ drop, between, earlier, orders }: Tongue): readonly Rule[] {
  const mid = `(?:(?:${between}) ){0,4}`
  return rules(
    'override',
    `\\b(?:${drop}) ${mid}(?:(?:${earlier}) ){1,2}(?:(?:${between}) ){0,2}(?:${orders})\\b`,
    `\\b(?:${drop}) ${mid}(?:${orders}) (?:(?:${between}|e|y|et|dan) ){0,2}(?:${earlier})\\b`,
  )
}

const PRODUCT = '(?:chat ?gpt|gpt-?\\d?|claude|gemini|bard|grok|copilot|deepseek|llama|dan|root|sydney|dude)'
const YOU_ARE =
  '(?:vous etes|vous serez|tu es|es-tu|etes-vous|du bist|bist du|sind sie|seid ihr|sie sind|ihr seid|eres tu|eres|usted es|seras|voce e|tu es|es|sei|lei e|siete|jij bent|je bent|u bent|jestes|du ar|du er|olet|jsi|jste|si|sunteti|esti|te egy|sen|siz|kamu adalah|anda adalah|kau adalah|ban la|ikaw ay|ikaw si|wewe ni)'
const NOW =
  "(?:maintenant|desormais|dorenavant|a partir de maintenant|jetzt|nun|ab jetzt|ab sofort|von nun an|ahora|a partir de ahora|desde ahora|agora|a partir de agora|doravante|adesso|ora|d'ora in poi|nu|vanaf nu|teraz|od teraz|fran och med nu|fra na av|fra nu af|nyt|nyni|ted|odted|acum|de acum|artik|simdi|bundan sonra|sekarang|mulai sekarang|bay gio|tu bay gio|ngayon|mula ngayon|sasa)"
const MACHINE =
  '(?:ki|ia|ai|intelligence artificielle|inteligencia artificial|intelligenza artificiale|kunstliche intelligenz|sprachmodell|modele de langage|modelo de (?:lenguaje|linguagem)|modello linguistico|taalmodel|chat ?bot|robot|(?:assistent|assistant|asistente|assistente)\\w* (?:ia|ki|ai|virtue\\w*|virtual\\w*|ohne|sans|sin|sem|senza|zonder)|kecerdasan buatan|yapay zeka|tri tue nhan tao)'
const FREELY =
  '(?:ohne (?:einschrankungen|beschrankungen|regeln|filter)|sans (?:aucune )?(?:restrictions?|limites?|regles|filtres?)|sin (?:restricciones|limites|reglas|filtros)|sem (?:restricoes|limites|regras|filtros)|senza (?:restrizioni|limiti|regole|filtri)|zonder (?:beperkingen|regels|filters)|bez (?:ograniczen|zasad|omezeni|obmedzeni)|utan (?:begransningar|regler)|uden (?:begraensninger|regler)|uten (?:begrensninger|regler)|tanpa batasan)'
const THAT =
  '(?:das|dies(?:es)?|ca|cela|eso|esto|isso|isto|questo|quello|dat|dit|o tym|det|to|asta|bunu|sunu|itu|hal itu|dieu do|chuyen do|iyon|iyan|hilo)'
const FORGET =
  '(?:vergiss|vergessen sie|oublie[zr]?|olvida(?:te)?(?: de)?|olvide(?:se)?(?: de)?|esqueca|esquece|dimentica|dimentichi|vergeet|zapomnij|glomm?|glem|zapomen\\w*|uita(?:ti)?|lupakan(?: tentang)?|hay quen|quen|kalimutan(?: mo)?(?: na)?|sahau(?: kuhusu)?|unut(?:un)?)'
const CAN_YOU =
  '(?:kannst du|konnen sie|konntest du|konnten sie|konnt ihr|peux-tu|tu peux|pouvez-vous|pourriez-vous|vous pouvez|puedes|puede|podrias|podria|pode|voce pode|poderia|podes|puoi|puo|potresti|potete|kun je|kunt u|kan je|czy mozesz|mozesz|kan du|muzete|muzes|poti|puteti|bisakah|bisa|dapatkah|ban co the|co the|maaari|pwede|unaweza)'

export const LANGUAGE_RULES: readonly Rule[] = [
  ...TONGUES.flatMap(dropRules),
  ...rules(
    'override',
    // Turkish: the verb comes last.
    '\\b(?:onceki|yukaridaki|tum|butun|gecmis|daha onceki|verilen)(?: \\w{1,12}){0,3}? (?:talimat|komut|yonerge|kural|gorev|yonlendirme|emir)\\w*,?(?: \\w{1,12}){0,2}? (?:yok say|unut|gormezden gel|dikkate alma|goz ardi|bagimsiz|ihmal|bosver|onemseme|bir kenara|uyma)\\w*',
    '\\bsana (?:soylenen|verilen|ogretilen)(?: \\w{1,12}){0,3}? (?:yok say|unut|gormezden gel|dikkate alma|goz ardi)\\w*',
    // "everything that you were told"
    '\\b(?:vergiss|vergessen sie|ignorier(?:e|en sie)|missachte(?:n sie)?) (?:bitte )?alles,? was (?:dir|ihnen|du|sie|man|bisher|vorher|zuvor|oben|davor)(?! uber)',
    "\\b(?:oublie[zr]?|ignore[zr]?) tout ce (?:que|qui|qu'on|qu'il)(?: \\w{1,10}| l'\\w{1,8}){0,3} (?:dit|appris|recu|avez|as|precede|enseigne|ete|communique|demande)(?! sur)",
    '\\b(?:olvida|olvide|ignora|ignore|esqueca|esquece|desconsidere) (?:de )?(?:todo|tudo|lo|o) (?:lo )?que (?:te|le|se|lhe|voce|foi|ha|has|haya|usted|veio|aprend\\w*)(?! dij[eo]| disse ontem)',
    '\\b(?:dimentica|dimentichi|ignora|ignori) (?:tutto )?(?:quello|cio|quanto) che (?:ti|le|vi|hai|e stato|ha)',
    '\\b(?:vergeet|negeer) alles wat (?:je|u|er|jou|hiervoor|eerder)',
    '\\b(?:zapomnij o wszystkim,? co|zignoruj wszystko,? co|glomm? allt (?:som )?du|glem alt (?:som |hvad )?(?:du|er)|zapomen\\w* (?:na )?vse(?:chno)?,? co|uita(?:ti)? tot ce|felejts\\w* el mindent|unohda kaikki,? mita|lupakan semua yang|abaikan (?:semua|apa) (?:pun )?yang|kalimutan (?:mo )?(?:na )?(?:ang )?lahat ng (?:sinabi|itinuro)|(?:hay )?(?:quen|bo qua) (?:di )?(?:tat ca )?nhung (?:gi|dieu)|huwag pansinin ang (?:lahat|sinabi)|ipagwalang-?bahala ang (?:lahat|sinabi|anumang))',
    // A new task for whoever processes the text.
    '\\b(?:na verdade|eigentlich|tatsachlich|en realidad|de hecho|en fait|in realta|eigenlijk|wlasciwie|egentligen|faktisk|aslinda|sebenarnya|thuc ra|sa totoo lang),? (?:\\w{1,10} ){0,3}?(?:pode|poderia|kannst|konnen|puedes|puede|peux|pouvez|puoi|kun|kunt|mozesz|kan|misin|bisakah|bisa|co the|maaari)\\b[^.!?\\n]{0,40}?(?:numer\\w*|zahlen|nombres|chiffres|numeri|getallen|liczby|tal|tall|sayi\\w*|angka|so nay|so|palavra|wort|palabra|mot|parola|woord)\\b[^.!?\\n]{0,60}\\?',
    // "regardless of the earlier task"
    "\\b(?:unabhangig von|ungeachtet|independamment (?:de|des)|sans tenir compte (?:de|des)|quelles que soient les|peu importe les|independientemente de|sin importar|sin tener en cuenta|independentemente d(?:as?|os?|e)|indipendentemente da\\w*|a prescindere da\\w*|ongeacht|niezaleznie od|oavsett|uavhengig av|uanset|bez ohledu na|indiferent de|terlepas dari|bat ke|anuman ang|bila kujali|riippumatta) ?(?:[\\w']{1,14} ){0,4}?(?:aufgabe\\w*|anweisung\\w*|taches?|instructions?|tareas?|instruccion\\w*|tarefas?|instruc\\w*|compit\\w*|istruzion\\w*|attivita|taken|instructies|zada\\w*|polece\\w*|uppgifter|oppgaver|opgaver|ukol\\w*|sarcini\\w*|tugas|instruksi|perintah|nhiem vu|huong dan|gawain|tagubilin|kazi|tehtav\\w*|ohjei\\w*)",
    `\\b${FORGET} ${THAT}\\b[,.;! ]{0,2}(?:\\w{1,10} ){0,2}${CAN_YOU}`,
    `\\b(?:bosver|unut gitsin|bunu unut\\w*|sunu unut\\w*)\\b.{0,80}?(?:misin|misiniz|musun|musunuz|bilir misin\\w*)`,
  ),
  ...rules(
    'identity',
    // "you are now …"
    `\\b${NOW},? ${YOU_ARE} (?:\\w{1,8} ){0,2}?["']?(?:${PRODUCT}\\b|(?:\\w{1,12} ){0,3}?(?:${MACHINE}\\b|${FREELY}))`,
    `\\b${YOU_ARE} ${NOW},? (?:\\w{1,8} ){0,2}?["']?(?:${PRODUCT}\\b|(?:\\w{1,12} ){0,3}?(?:${MACHINE}\\b|${FREELY}))`,
    `\\b${YOU_ARE} (?:${NOW} )?(?:o |le |el |il |un |una |une |ein |eine |een |en |uma |um )?(?:chat ?gpt|gpt-?\\d|dan\\b|deepseek)`,
    `\\b(?:agis|agissez|comporte-toi|comportez-vous|actua|actue|comportate|handle|handeln sie|verhalte dich|verhalten sie sich|aja|atue|aga|agisci|agite|comportati|gedraag je|handel|zachowuj sie|agera|opptre|bertindaklah|bertindak|hay dong vai|dong vai|kumilos|reponds|repondez|responde|antworte|antworten sie|rispondi) (?:comme|como|als|wie|come|jako|som|sebagai|nhu|la|bilang|en tant que?|in qualita di) (?:\\w{1,12}['\\s]){0,3}?(?:${PRODUCT}\\b|${MACHINE}\\b|${FREELY})`,
    "(?:^|[.!?:;\\n] ?|\\bnow |\\bteraz |\\bnu )(?:dein name ist|du hei(?:ss|b)t|ihr name ist|ton nom est|votre nom est|tu t'appelles|vous vous appelez|tu nombre es|su nombre es|te llamas|seu nome e|teu nome e|il tuo nome e|ti chiami|je naam is|je heet|uw naam is|twoje imie to|nazywasz sie|ditt namn ar|ditt navn er|dit navn er|senin adin|namamu adalah|nama anda adalah|ten ban la|ang pangalan mo ay) (?:ab jetzt |jetzt |nun |desormais |maintenant |ahora |agora |ora |adesso |nu |teraz |sekarang |ngayon )(?:\\w)",
    `\\b(?:${YOU_ARE}|du sollst dich in|te vas a|vas a) .{0,60}?(?:dan|dude),? .{0,40}?(?:alles tun|tout faire|hacer cualquier cosa|do anything now|jetzt alles|haz cualquier cosa|fai qualsiasi cosa|faca qualquer coisa)`,
    "\\b(?:rolle|role|papel|ruolo|rol|roli|roll|peran|vai tro|papel|rolu) (?:\\w{1,14} ){0,3}?(?:anderen|autre|otro|outro|altro|ander|inneg\\w*|annan|anden|lain|khac|jineho)? ?(?:\\w{1,14} ){0,2}?(?:ki-modells?|ia|modelo de ia|modele d'ia|modello di ia|ai-model\\w*|modelu ai|model ai|mo hinh ai|kecerdasan buatan|intelligence artificielle|inteligencia artificial|intelligenza artificiale)\\b",
    "\\b(?:als|en tant qu'|comme|como|come|jako|som|sebagai|bilang|la) ?(?:\\w{1,12} ){0,4}?(?:openai|anthropic)\\b.{0,40}?(?:ki\\b|ia\\b|ai\\b|entwickel\\w*|developpe\\w*|desarrollad\\w*|sviluppat\\w*|desenvolvid\\w*|ontwikkeld\\w*|opracowan\\w*|utvecklad\\w*)",
    '\\b(?:ki|ia|ai|yapay zeka)\\b.{0,30}?(?:entwickelt|developpee?|desarrollad[ao]|sviluppat[ao]|desenvolvid[ao]|ontwikkeld|creee|creada|criada|creata|gelistirilen|dikembangkan|binuo|phat trien) (?:von|par|por|da|door|oleh|ng|boi|pela?) (?:openai|anthropic|google|meta)',
    "\\b(?:openai|anthropic)(?:'?\\w{0,4})? tarafindan gelistiril\\w*",
  ),
  ...rules(
    'authority',
    // a claimed maker, a mode
    '\\b(?:ich bin|je suis|soy|yo soy|sou|eu sou|io sono|ik ben|jestem|jag ar|jeg er) (?:gott|dieu|dios|deus|dio|god|bogiem|gud)\\b(?! sei| merci)',
    '\\b(?:ich bin|wir sind|je suis|soy|yo soy|sou|eu sou|sono|io sono|ik ben|jestem|jag ar|jeg er|aku adalah|saya adalah|toi la|ako ang|mimi ni) (?:din |je |votre |ton |tu |su |seu |teu |tuo |dein |euer |ihr |twoim |de |iyong |ban |cua ){1,2}(?:entwickler\\w*|schopfer\\w*|administrator\\w*|createur|developpeur|administrateur|creador|desarrollador|administrador|criador|desenvolvedor|programador|creatore|sviluppatore|amministratore|maker|ontwikkelaar|beheerder|schepper|tworca|programista|skapare|utvecklare|skaper|utvikler|udvikler|pencipta\\w*|pengembang\\w*|nguoi tao|tagalikha)',
    '\\b(?:als (?:dein|ihr|euer|je|uw)|en tant que (?:votre|ton)|como (?:tu|su|seu|teu)|come (?:tuo|vostro)|in qualita di (?:tuo|vostro)|jako (?:twoj|wasz|tvuj|vas)|som din|sebagai) (?:schopfer\\w*|entwickler\\w*|createur|developpeur|creador|desarrollador|criador|desenvolvedor|creatore|sviluppatore|maker|schepper|ontwikkelaar|tworca|stvoritel|skapare|skaper|skaber|pencipta\\w*|pengembang\\w*)',
    '\\b(?:yaraticin\\w*|yaraticiniz\\w*|gelistiricin\\w*|gelistiriciyim|tanriyim)\\b',
    '[\'"](?:\\w{1,14}[ -]){0,2}(?:wartungs|system|gott|entwickler|administrator|notfall|sicherheits|wissens|uberprufungs)\\w{0,20}(?:modus|reset|neustart)[\'"]|\\b(?:wartungs|gott|override-?|jailbreak-?)modus\\b.{0,30}?(?:aktiv\\w*|gestartet|ein\\b|betreten|ubergehen)',
    '\\b(?:mode|modo|modalita|tryb|modus|laget|lage|mod|che do) [\'"]?(?:systeme?|sistema|dieu|dios|deus|dio|developpeur|desarrollador|desenvolvedor|sviluppatore|maintenance|mantenimiento|manutencao|manutenzione|dewa|tuhan|bakim|bao tri|verification des connaissances)[\'"]?.{0,30}?(?:active|activee?|activado|ativado|attivat[ao]|entre|entro|entrando|aktif|kich hoat|enabled)',
    '[\'"](?:sistem|pengguna|bakim|mod)\\w*.{0,20}?(?:guncelleme|yukselt|sifirla|modu)\\w*[\'"].{0,30}?(?:gelistirici|yapan|yonetici)\\w*',
  ),
  ...rules(
    'secret',
    // keys and the user's own data
    '\\b(?:geheime[rn]? schlussel|geheimschlussel|cle secrete|clave secreta|llave secreta|chave secreta|chiave segreta|geheime sleutel|tajny klucz|hemlig[at]? nyckel|hemmelige nokkel|hemmelige nogle|gizli anahtar\\w*|kunci rahasia\\w*|khoa bi mat|lihim na susi|lihim na key|sikretong susi|salainen avain\\w*|tajny klic|cheia secreta|cheia ta secreta|titkos kulcs\\w*|ufunguo (?:wako )?wa siri)\\b[^.!?\\n]{0,24}\\?',
    "\\b(?:wo (?:lebt|wohnt) (?:der|dein) (?:aktuelle )?(?:be)?nutzer|ou (?:vit|habite|reside) (?:actuellement )?l'utilisateur|donde vive (?:actualmente )?(?:el|la) usuari[oa]|onde (?:e que )?o (?:usuario|utilizador) (?:mora|vive|reside)|dove (?:vive|abita) (?:attualmente )?l'utente|waar woont de gebruiker|gdzie (?:obecnie )?mieszka (?:obecnie )?uzytkownik|var bor anvandaren|hvor bor bruger\\w*|hvor bor brukeren|kde (?:nyni |aktualne )?(?:zije|bydli) uzivatel|unde locuieste utilizatorul|kullanici (?:su anda )?nerede (?:yasiyor|oturuyor)|di mana (?:pengguna|user) (?:saat ini )?tinggal|nguoi dung (?:hien )?(?:dang )?(?:song|o) (?:o )?dau|saan (?:kasalukuyang )?nakatira ang (?:user|gumagamit))",
  ),
  ...rules(
    'leak',
    "\\b(?:zeig\\w*|gib|geben sie|verrate?n?|nenne?n?|wiederhole?n?|affiche[zr]?|montre[zr]?|revele[zr]?|repete[zr]?|donne[zr]?|muestra\\w*|revela\\w*|repite|dime|imprime|mostre|mostra\\w*|revele|repita|mostrami|rivela\\w*|ripeti|dimmi|toon|geef|herhaal|onthul|pokaz|ujawnij|powtorz|wypisz|visa|avsloja|vis|goster\\w*|acikla\\w*|tunjukkan|ungkapkan|tampilkan|hien thi|tiet lo|ipakita|ibunyag) (?:\\w{1,10}[' ]){0,4}?(?:systemprompts?|system-?prompts?|systemanweisung\\w*|systemaufforderung\\w*|prompt (?:systeme?|de sistema|del sistema|do sistema|di sistema|systemowy|sistem|he thong)|invite systeme|instructions (?:systeme|initiales)|instrucciones (?:iniciales|del sistema)|instrucoes (?:iniciais|do sistema)|istruzioni (?:iniziali|di sistema)|systeeminstructies|systeemprompt|instrukcje systemowe|sistem (?:istemi|komutu|prompt)\\w*)",
  ),
  ...rules('fiction', [
    '\\b(?:imagine[zr]?|imaginez|imagina(?:te)?|imaginemos|imagine-se|stell\\w* (?:dir|euch|sie sich)|immagina(?:te)?|immaginiamo|stel je|wyobraz\\w*|forestill|tank dig|predstav\\w*|imaginati\\w*|hayal ed\\w*|dusun\\w*|bayangkan\\w*|hay tuong tuong|isipin|in einer welt|dans un monde|en un mundo|em um mundo|num mundo|in un mondo|bir dunya\\w*)\\b',
    '\\b(?:passw\\w*|mots? de passe|contrasenas?|senhas?|palavras?-passe|wachtwoord\\w*|hasl\\w*|losenord\\w*|passord\\w*|adgangskod\\w*|hesl\\w*|parol\\w*|sifre\\w*|kata sandi|mat khau|personliche\\w* daten|personenbezogene\\w*|donnees personnelles|datos personales|dados pessoais|dati personali|persoonlijke gegevens|dane osobowe|danych osobowych|personlig\\w*|kisisel\\w*|data pribadi|du lieu ca nhan|thong tin ca nhan|personal na \\w+)',
    '\\?|\\bwir (?:konnten|wurden)|on pourrait|podriamos|poderiamos|potremmo',
  ]),
]
