/*
** analyzer.c: the pipeline: options + text -> token stream.
**
** The text is read once, from left to right. What comes next decides who takes it: a run of CJK or
** complex characters is collected and cut by the segmenter, a word stretch goes to the parent, an
** emoji sequence is a token. Each leaves the reader behind what it took.
*/
#include <string.h>

#include "cjk.h"
#include "emoji.h"
#include "error.h"
#include "han.h"
#include "memory.h"
#include "options.h"
#include "pieces.h"
#include "segmenters.h"

enum {
  PART = 1024,        /* units collected before an n-gram segmenter is called */
  LONG_RUN = 1 << 20, /* units that options which rewrite runs see at a time */
  KATAKANA_PROLONGED = 0x30FC
};

struct CjkAnalyzer {
  CjkOptions options;
  CjkOptions folds;         /* of single characters, on their way into a run */
  const CjkSegmenter *kind; /* the segmenter, and */
  void *segmenter;          /* its state, if it has one */
  char *arguments;          /* the parent's arguments, end to end */
  const char **parent_argv;
  int n_parent_argv;
  CjkPieces pieces;
  CjkEmitter emitter;
  CjkError error;
  int is_busy;
  CjkRunBuffer run;       /* being collected */
  CjkRunBuffer rewritten; /* what the segmenter sees, where options rewrite runs */
};

static int rewrites_runs(const CjkOptions *options) {
  return options->fold_iteration || options->fold_prolonged;
}

/* ---- creating ---- */

/* Keeps the parent's arguments: those behind our options, or unicode61 and the options for it. */
static int keep_parent_arguments(CjkAnalyzer *analyzer, const char *const *argv, int argc,
                                 int n_used, CjkError *error) {
  size_t size = sizeof("unicode61");
  for (int i = 0; i < argc; i++) size += strlen(argv[i]) + 1;
  analyzer->arguments = (char *)cjk_realloc(NULL, size);
  analyzer->parent_argv = (const char **)cjk_realloc(NULL, (size_t)(argc + 2) * sizeof(char *));
  if (!analyzer->arguments || !analyzer->parent_argv) return CJK_NOMEM;
  char *out = analyzer->arguments;
  const char **kept = analyzer->parent_argv;
  int n = 0;
  if (n_used == argc) kept[n++] = "unicode61";
  for (int i = 0; i < argc; i++) {
    if (i < n_used) {
      const CjkOptionRow *row = cjk_option_find(argv[i & ~1]);
      if (row->kind != CJK_OPTION_PARENT) continue;
      if (n_used < argc) {
        cjk_error(error,
                  "option %s of tokenizer cjk belongs to unicode61, but the arguments name "
                  "another parent, \"%.100s\"; give the option behind that name",
                  row->name, argv[n_used]);
        return CJK_ERROR;
      }
    }
    kept[n++] = strcpy(out, argv[i]);
    out += strlen(out) + 1;
  }
  kept[n] = ""; /* SQLite's trigram reads one value too far */
  analyzer->n_parent_argv = n;
  return CJK_OK;
}

int cjk_analyzer_create(const char *const *argv, int argc, CjkAnalyzer **out, CjkError *error) {
  int n_used = 0;
  CjkAnalyzer *analyzer = (CjkAnalyzer *)cjk_realloc(NULL, sizeof(*analyzer));
  *out = NULL;
  error->message[0] = 0;
  if (!analyzer) return CJK_NOMEM;
  memset(analyzer, 0, sizeof(*analyzer));
  cjk_pieces_init(&analyzer->pieces);
  int rc = cjk_options_parse(argv, argc, &analyzer->options, &n_used, error);
  if (rc == CJK_OK && analyzer->options.fold_han && !cjk_has_han_fold()) {
    cjk_error(error, "option fold_han of tokenizer cjk: this library was built without its table "
                     "(tools/make_han_fold.py)");
    rc = CJK_ERROR;
  }
  analyzer->kind = cjk_segmenter(analyzer->options.segment);
  if (rc == CJK_OK && analyzer->kind->open) {
    rc = analyzer->kind->open(&analyzer->options, &analyzer->segmenter, error);
  }
  if (rc == CJK_OK) rc = keep_parent_arguments(analyzer, argv, argc, n_used, error);
  analyzer->folds = analyzer->options;
  if (rewrites_runs(&analyzer->options)) analyzer->folds.fold_kana = 0; /* rewriting does it */
  if (rc == CJK_OK)
    *out = analyzer;
  else
    cjk_analyzer_free(analyzer);
  return rc;
}

void cjk_analyzer_free(CjkAnalyzer *analyzer) {
  if (!analyzer) return;
  if (analyzer->segmenter) analyzer->kind->close(analyzer->segmenter);
  cjk_pieces_free(&analyzer->pieces);
  cjk_run_free(&analyzer->run);
  cjk_run_free(&analyzer->rewritten);
  cjk_free(analyzer->emitter.held);
  cjk_free(analyzer->arguments);
  cjk_free(analyzer->parent_argv);
  cjk_free(analyzer);
}

int cjk_analyzer_parent_arguments(const CjkAnalyzer *analyzer, const char *const **argv) {
  *argv = analyzer->parent_argv;
  return analyzer->n_parent_argv;
}

/* Marks the ASCII characters of `list` as token characters or not; 0 when others are in it. */
static int set_ascii_tokens(CjkPieces *pieces, const char *list, int is_token) {
  for (; *list; list++) {
    if (*list & 0x80) return 0;
    pieces->is_ascii_token[(int)*list] = (uint8_t)is_token;
  }
  return 1;
}

/* Cutting at separators needs to know them: not with other categories or non-ASCII characters. */
void cjk_analyzer_set_parent(CjkAnalyzer *analyzer, CjkParent parent, int is_unicode61) {
  CjkPieces *pieces = &analyzer->pieces;
  int is_known = is_unicode61, is_default = is_unicode61;
  for (int i = 1; i + 1 < analyzer->n_parent_argv; i += 2) {
    const char *name = analyzer->parent_argv[i], *value = analyzer->parent_argv[i + 1];
    if (cjk_same_word(name, "remove_diacritics")) continue;
    is_default = 0;
    if (cjk_same_word(name, "tokenchars"))
      is_known &= set_ascii_tokens(pieces, value, 1);
    else if (cjk_same_word(name, "separators"))
      is_known &= set_ascii_tokens(pieces, value, 0);
    else
      is_known = 0;
  }
  pieces->parent = parent;
  pieces->cuts_at_separators = is_known;
  pieces->is_ascii_default = is_default;
}

/* ---- runs ---- */

/* Gives the segmenter what is ready; with `more` the run goes on behind its last unit. */
static int segment_units(CjkAnalyzer *analyzer, CjkRunBuffer *ready, int more) {
  CjkRun run = cjk_run_view(ready);
  int n_used = 0;
  if (run.n == 0) return CJK_OK;
  cjk_emitter_mark(&analyzer->emitter, analyzer->options.segment);
  int rc = analyzer->kind->segment(analyzer->segmenter, &run, more, &analyzer->options,
                                   &analyzer->emitter, &n_used);
  analyzer->emitter.mark = 0;
  if (more) cjk_run_drop_first(ready, n_used);
  return rc;
}

/* Segments what has been collected of a run. */
static int segment_run(CjkAnalyzer *analyzer, int more) {
  int rc = more ? CJK_OK : cjk_run_settle(&analyzer->run);
  return rc == CJK_OK ? segment_units(analyzer, &analyzer->run, more) : rc;
}

/* The same where options rewrite runs. With `more` a part of exactly LONG_RUN units is rewritten;
** the unit behind it, which may still be composed with, stays for the next part. A run without a
** mark to rewrite goes the short way. */
static int segment_rewritten_run(CjkAnalyzer *analyzer, int more) {
  int needs_rewriting = analyzer->run.seen & CJK_REWRITES || analyzer->options.fold_kana;
  if (!needs_rewriting && !analyzer->rewritten.n && !more) {
    return segment_run(analyzer, 0);
  }
  int rc = more ? CJK_OK : cjk_run_settle(&analyzer->run);
  CjkRun run = cjk_run_view(&analyzer->run);
  if (more) run.n--;
  if (rc == CJK_OK) rc = cjk_run_rewrite(&run, &analyzer->options, &analyzer->rewritten);
  if (more) cjk_run_drop_first(&analyzer->run, run.n);
  return rc == CJK_OK ? segment_units(analyzer, &analyzer->rewritten, more) : rc;
}

static int segment_cjk_run(CjkAnalyzer *analyzer, int is_rewritten, int more) {
  return is_rewritten ? segment_rewritten_run(analyzer, more) : segment_run(analyzer, more);
}

static int is_long_dash(uint32_t cp) {
  return cp == 0x2014 || cp == 0x2015 || cp == 0x2212 || cp == 0x2500 || cp == 0x2501 ||
         cp == 0xFF0D;
}

/* Whether the character just read is a long dash that stands for the prolonged sound mark. */
static int is_prolonged(const CjkRunBuffer *run, const CjkFolded *c, CjkReader behind) {
  CjkFolded next;
  if (!is_long_dash(c->source)) return 0;
  if (!(cjk_properties(run->last) & CJK_KATAKANA) && run->last != KATAKANA_PROLONGED) return 0;
  return cjk_read_visible(&behind, &next) && !next.is_break && (next.properties & CJK_KATAKANA);
}

/* Takes the next character into a cjk run, or clears *go_on. The run's first character is of class
** CJK, so it has a unit when anything else comes. */
static int take_cjk(CjkAnalyzer *analyzer, CjkReader *reader, int *go_on) {
  CjkRunBuffer *run = &analyzer->run;
  CjkReader ahead = *reader, at = *reader;
  CjkFolded c;
  uint32_t code;
  *go_on = cjk_read(&ahead, &c) && !c.is_break;
  if (!*go_on) return CJK_OK;
  switch (cjk_class_of(&c)) {
  case CJK_CLASS_IGNORABLE:
    *reader = ahead;
    return c.properties & CJK_EXTEND ? cjk_run_widen(run, c.end) : CJK_OK;
  case CJK_CLASS_MARK:
    *reader = ahead;
    return cjk_run_widen(run, c.end);
  case CJK_CLASS_VOICING:
    *reader = ahead;
    return cjk_run_append(run, c.code, c.properties, c.start, c.end);
  case CJK_CLASS_CJK:
    *reader = ahead;
    if (cjk_is_dot(&c, &at, ahead)) {
      *go_on = 0;
      return CJK_OK;
    }
    code = cjk_run_fold(&analyzer->folds, c.code, c.properties);
    return cjk_run_append(run, code, c.properties, c.start, c.end);
  default:
    if (is_prolonged(run, &c, ahead)) {
      *reader = ahead;
      return cjk_run_append(run, KATAKANA_PROLONGED, 0, c.start, c.end);
    }
  }
  *go_on = cjk_run_bridge(run, &analyzer->options, reader);
  return CJK_OK;
}

/* The same for a complex run, whose first character is of class COMPLEX. */
static int take_complex(CjkAnalyzer *analyzer, CjkReader *reader, int *go_on) {
  CjkRunBuffer *run = &analyzer->run;
  CjkReader ahead = *reader;
  CjkFolded c;
  *go_on = cjk_read(&ahead, &c) && !c.is_break;
  if (!*go_on) return CJK_OK;
  switch (cjk_class_of(&c)) {
  case CJK_CLASS_IGNORABLE:
    *reader = ahead;
    return c.properties & CJK_EXTEND ? cjk_run_widen(run, c.end) : CJK_OK;
  case CJK_CLASS_MARK:
  case CJK_CLASS_COMPLEX:
    *reader = ahead;
    if (run->n && (c.properties & CJK_EXTEND)) return cjk_run_extend(run, c.code, c.end);
    return cjk_run_push(run, c.code, c.start, c.end);
  default:
    *go_on = 0;
    return CJK_OK;
  }
}

static int take_cjk_run(CjkAnalyzer *analyzer, CjkReader *reader) {
  CjkRunBuffer *run = &analyzer->run;
  int is_rewritten = rewrites_runs(&analyzer->options);
  int limit = is_rewritten || analyzer->kind->needs_whole_runs ? LONG_RUN + 1 : PART;
  int rc = CJK_OK, go_on = 1;
  cjk_run_reset(run, (const char *)reader->text);
  if (is_rewritten) cjk_run_reset(&analyzer->rewritten, run->source);
  while (rc == CJK_OK && go_on) {
    int part = run->n < limit - PART ? run->n + PART : limit;
    rc = cjk_run_append_plain(run, reader, &analyzer->folds, part);
    if (rc == CJK_OK && run->n >= limit) rc = segment_cjk_run(analyzer, is_rewritten, 1);
    if (rc == CJK_OK && cjk_is_lone_separator(run->next)) {
      /* No bridge goes over a separator of three bytes: bridges begin in ASCII. */
      if (analyzer->pieces.is_ascii_default) reader->position += 3;
      break;
    }
    if (rc == CJK_OK && run->n < limit) rc = take_cjk(analyzer, reader, &go_on);
  }
  return rc == CJK_OK ? segment_cjk_run(analyzer, is_rewritten, 0) : rc;
}

static int take_complex_run(CjkAnalyzer *analyzer, CjkReader *reader) {
  CjkRunBuffer *run = &analyzer->run;
  int limit = analyzer->kind->needs_whole_runs ? LONG_RUN + 1 : PART;
  int rc = CJK_OK, go_on = 1;
  cjk_run_reset(run, (const char *)reader->text);
  while (rc == CJK_OK && go_on) {
    rc = take_complex(analyzer, reader, &go_on);
    if (rc == CJK_OK && run->n >= limit) rc = segment_run(analyzer, 1);
  }
  return rc == CJK_OK ? segment_run(analyzer, 0) : rc;
}

/* ---- text ---- */

/* Takes what comes next, whatever it is; 0 in *go_on at the end of the text. */
static int take_next(CjkAnalyzer *analyzer, CjkReader *reader, int reason, const char *locale,
                     int n_locale, int *go_on) {
  CjkReader ahead = *reader;
  CjkFolded c;
  int has_emoji = analyzer->options.emoji;
  *go_on = cjk_read(&ahead, &c);
  if (!*go_on) return CJK_OK;
  unsigned kind = CJK_CLASS_IGNORABLE;
  if (!c.is_break) kind = cjk_class_of(&c);
  if (kind == CJK_CLASS_CJK) return take_cjk_run(analyzer, reader);
  if (kind == CJK_CLASS_COMPLEX) return take_complex_run(analyzer, reader);
  if (kind == CJK_CLASS_EMOJI && has_emoji) {
    return cjk_emoji_take(reader, &analyzer->run, &analyzer->emitter);
  }
  if (kind == CJK_CLASS_WORD || kind == CJK_CLASS_MARK) {
    return cjk_pieces_take(&analyzer->pieces, reader, has_emoji, reason, locale, n_locale,
                           &analyzer->emitter);
  }
  *reader = ahead; /* breaks and what is one here: voicing marks, emoji without the option */
  return CJK_OK;
}

static int analyze(CjkAnalyzer *analyzer, int reason, const char *text, int n, const char *locale,
                   int n_locale, void *ctx, CjkTokenFn on_token) {
  CjkReader reader = cjk_reader(text, n, 0);
  CjkEmitter *emitter = &analyzer->emitter;
  int rc = CJK_OK, go_on = 1;
  emitter->on_token = on_token;
  emitter->locale = locale;
  emitter->n_locale = n_locale;
  emitter->error = &analyzer->error;
  emitter->was_entered = 0;
  emitter->ctx = ctx;
  emitter->is_query = (reason & CJK_QUERY) != 0;
  emitter->n_held = 0;
  emitter->stopped = CJK_OK;
  while (rc == CJK_OK && go_on) {
    unsigned properties = cjk_pieces_skip_separators(&analyzer->pieces, &reader);
    if ((properties & (CJK_CLASS_MASK | CJK_CONTEXT)) == CJK_CLASS_CJK) {
      rc = take_cjk_run(analyzer, &reader);
    } else {
      rc = take_next(analyzer, &reader, reason, locale, n_locale, &go_on);
    }
  }
  return rc;
}

/* A segmenter of the host program came back to the analyzer that calls it. */
static int refuse_entrance(CjkEmitter *emitter, CjkError *error) {
  const CjkCutter *cutter = emitter->cutter;
  emitter->was_entered = 1;
  cjk_error(error, CJK_USES_CONNECTION);
  if (cutter && cutter->refused) cutter->refused(cutter->user, error);
  return CJK_ERROR;
}

int cjk_analyze(CjkAnalyzer *analyzer, int reason, const char *text, int n, const char *locale,
                int n_locale, void *ctx, CjkTokenFn on_token) {
  if (analyzer->is_busy) return refuse_entrance(&analyzer->emitter, &analyzer->error);
  analyzer->error.message[0] = 0;
  analyzer->is_busy = 1;
  int rc = analyze(analyzer, reason, text, n, locale, n_locale, ctx, on_token);
  analyzer->is_busy = 0;
  return rc;
}

const char *cjk_analyzer_message(const CjkAnalyzer *analyzer) {
  return analyzer->emitter.stopped ? "" : analyzer->error.message;
}

void cjk_analyzer_set_stamp(CjkAnalyzer *analyzer, void *ctx, unsigned (*stamp)(void *ctx)) {
  analyzer->emitter.stamp = stamp;
  analyzer->emitter.stamp_ctx = ctx;
}

void cjk_analyzer_explain(CjkAnalyzer *analyzer, int explains) {
  analyzer->emitter.explains = explains;
}
