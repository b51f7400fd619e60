/*
** analyzer.h: the pipeline, and what the rooms above may ask about an analyzer.
*/
#ifndef CJK_ANALYZER_H
#define CJK_ANALYZER_H

#include "cjk.h"
#include "options.h"

const CjkOptions *cjk_analyzer_options(const CjkAnalyzer *analyzer);

#endif
