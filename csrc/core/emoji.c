/*
** emoji.c: see emoji.h. The sequence is collected as the one unit of a run.
*/
#include "emoji.h"

enum { FIRST_TAG = 0xE0020, LAST_TAG = 0xE007F };

static int is_joinable(const CjkFolded *c) {
  return cjk_class_of(c) == CJK_CLASS_EMOJI && !(c->properties & CJK_REGIONAL);
}

/* Whether `c` goes on with a sequence of plain emoji and is part of its token. */
static int is_part(const CjkFolded *c) {
  return c->properties & CJK_MODIFIER || (c->code >= FIRST_TAG && c->code <= LAST_TAG);
}

/* Whether `c` widens the sequence's range only. */
static int is_widening(const CjkFolded *c) {
  return cjk_class_of(c) == CJK_CLASS_MARK ||
         (cjk_class_of(c) == CJK_CLASS_IGNORABLE && (c->properties & CJK_EXTEND));
}

/* Takes what follows the first emoji; 0 in *go_on when the sequence is at its end. */
static int take_component(CjkReader *reader, int is_regional, CjkRunBuffer *sequence, int *go_on) {
  CjkReader ahead = *reader, behind;
  CjkFolded c, joined;
  *go_on = cjk_read(&ahead, &c) && !c.is_break;
  if (!*go_on) return CJK_OK;
  behind = ahead;
  if (!is_regional && c.code == CJK_ZWJ && cjk_read(&behind, &joined) && is_joinable(&joined)) {
    int rc = cjk_run_extend(sequence, CJK_ZWJ, c.end);
    *reader = behind;
    return rc == CJK_OK ? cjk_run_extend(sequence, joined.code, joined.end) : rc;
  }
  *go_on = (!is_regional && is_part(&c)) || is_widening(&c);
  if (!*go_on) return CJK_OK;
  *reader = ahead;
  return !is_regional && is_part(&c) ? cjk_run_extend(sequence, c.code, c.end)
                                     : cjk_run_widen(sequence, c.end);
}

int cjk_emoji_widen(CjkReader *reader, int end) {
  CjkReader ahead = *reader;
  CjkFolded c;
  while (cjk_read(&ahead, &c) && !c.is_break) {
    if (is_widening(&c)) {
      end = c.end;
      *reader = ahead;
    } else if (cjk_class_of(&c) != CJK_CLASS_IGNORABLE) {
      break;
    }
  }
  return end;
}

int cjk_emoji_take(CjkReader *reader, CjkRunBuffer *scratch, CjkEmitter *emitter) {
  CjkFolded first, second;
  int go_on = 1, rc;
  cjk_run_reset(scratch, (const char *)reader->text);
  cjk_read(reader, &first);
  rc = cjk_run_push(scratch, first.code, first.start, first.end);
  int is_regional = (first.properties & CJK_REGIONAL) != 0;
  if (rc == CJK_OK && is_regional) {
    CjkReader ahead = *reader;
    if (cjk_read(&ahead, &second) && !second.is_break && (second.properties & CJK_REGIONAL)) {
      *reader = ahead;
      rc = cjk_run_extend(scratch, second.code, second.end);
    }
  }
  while (rc == CJK_OK && go_on) rc = take_component(reader, is_regional, scratch, &go_on);
  if (rc != CJK_OK) return rc;
  rc = cjk_run_widen(scratch, cjk_emoji_widen(reader, scratch->end[0]));
  if (rc != CJK_OK) return rc;
  CjkRun run = cjk_run_view(scratch);
  return cjk_emit(emitter, 0, run.text, run.at[1], run.start[0], run.end[0]);
}
