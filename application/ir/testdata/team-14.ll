source_filename = "team.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.ident_t = type { i32, i32, i32, i32, i8* }

@a = dso_local local_unnamed_addr global [120 x double] zeroinitializer, align 16
@b = dso_local local_unnamed_addr global [120 x double] zeroinitializer, align 16
@0 = private unnamed_addr constant [19 x i8] c";team.c;deal;7;1;;\00", align 1
@1 = private unnamed_addr constant %struct.ident_t { i32 0, i32 514, i32 0, i32 18, i8* getelementptr inbounds ([19 x i8], [19 x i8]* @0, i32 0, i32 0) }, align 8
@2 = private unnamed_addr constant [20 x i8] c";team.c;deal;7;33;;\00", align 1
@3 = private unnamed_addr constant %struct.ident_t { i32 0, i32 514, i32 0, i32 19, i8* getelementptr inbounds ([20 x i8], [20 x i8]* @2, i32 0, i32 0) }, align 8
@4 = private unnamed_addr constant %struct.ident_t { i32 0, i32 66, i32 0, i32 18, i8* getelementptr inbounds ([19 x i8], [19 x i8]* @0, i32 0, i32 0) }, align 8
@5 = private unnamed_addr constant [20 x i8] c";team.c;deal;10;1;;\00", align 1
@6 = private unnamed_addr constant %struct.ident_t { i32 0, i32 514, i32 0, i32 19, i8* getelementptr inbounds ([20 x i8], [20 x i8]* @5, i32 0, i32 0) }, align 8
@7 = private unnamed_addr constant [21 x i8] c";team.c;deal;10;43;;\00", align 1
@8 = private unnamed_addr constant %struct.ident_t { i32 0, i32 514, i32 0, i32 20, i8* getelementptr inbounds ([21 x i8], [21 x i8]* @7, i32 0, i32 0) }, align 8
@9 = private unnamed_addr constant [20 x i8] c";team.c;deal;13;1;;\00", align 1
@10 = private unnamed_addr constant %struct.ident_t { i32 0, i32 34, i32 0, i32 19, i8* getelementptr inbounds ([20 x i8], [20 x i8]* @9, i32 0, i32 0) }, align 8
@11 = private unnamed_addr constant [20 x i8] c";team.c;deal;14;1;;\00", align 1
@12 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 19, i8* getelementptr inbounds ([20 x i8], [20 x i8]* @11, i32 0, i32 0) }, align 8
@13 = private unnamed_addr constant %struct.ident_t { i32 0, i32 66, i32 0, i32 19, i8* getelementptr inbounds ([20 x i8], [20 x i8]* @11, i32 0, i32 0) }, align 8
@14 = private unnamed_addr constant [20 x i8] c";team.c;deal;17;1;;\00", align 1
@15 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 19, i8* getelementptr inbounds ([20 x i8], [20 x i8]* @14, i32 0, i32 0) }, align 8
@16 = private unnamed_addr constant %struct.ident_t { i32 0, i32 322, i32 0, i32 19, i8* getelementptr inbounds ([20 x i8], [20 x i8]* @14, i32 0, i32 0) }, align 8
@17 = private unnamed_addr constant [20 x i8] c";team.c;deal;19;1;;\00", align 1
@18 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 19, i8* getelementptr inbounds ([20 x i8], [20 x i8]* @17, i32 0, i32 0) }, align 8
@.gomp_critical_user_.var = common global [8 x i32] zeroinitializer
@19 = private unnamed_addr constant [19 x i8] c";team.c;deal;5;1;;\00", align 1
@20 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 18, i8* getelementptr inbounds ([19 x i8], [19 x i8]* @19, i32 0, i32 0) }, align 8
@21 = private unnamed_addr constant [24 x i8] c";team.c;triangle;25;1;;\00", align 1
@22 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @21, i32 0, i32 0) }, align 8

; Function Attrs: nounwind uwtable
define dso_local void @deal() local_unnamed_addr #0 !dbg !10 {
entry:
  call void (%struct.ident_t*, i32, void (i32*, i32*, ...)*, ...) @__kmpc_fork_call(%struct.ident_t* nonnull @20, i32 0, void (i32*, i32*, ...)* bitcast (void (i32*, i32*)* @.omp_outlined. to void (i32*, i32*, ...)*)), !dbg !13
  ret void, !dbg !14
}

; Function Attrs: alwaysinline norecurse nounwind uwtable
define internal void @.omp_outlined.(i32* noalias nocapture noundef readonly %.global_tid., i32* noalias nocapture noundef readnone %.bound_tid.) #1 !dbg !15 {
entry:
  %.omp.lb = alloca i32, align 4
  %.omp.ub = alloca i32, align 4
  %.omp.stride = alloca i32, align 4
  %.omp.is_last = alloca i32, align 4
  %.omp.lb5 = alloca i32, align 4
  %.omp.ub6 = alloca i32, align 4
  %.omp.stride7 = alloca i32, align 4
  %.omp.is_last8 = alloca i32, align 4
  %.omp.lb34 = alloca i32, align 4
  %.omp.ub35 = alloca i32, align 4
  %.omp.stride36 = alloca i32, align 4
  %.omp.is_last37 = alloca i32, align 4
  %0 = bitcast i32* %.omp.lb to i8*, !dbg !16
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %0) #3, !dbg !16
  store i32 0, i32* %.omp.lb, align 4, !dbg !17, !tbaa !18
  %1 = bitcast i32* %.omp.ub to i8*, !dbg !16
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %1) #3, !dbg !16
  store i32 119, i32* %.omp.ub, align 4, !dbg !17, !tbaa !18
  %2 = bitcast i32* %.omp.stride to i8*, !dbg !16
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %2) #3, !dbg !16
  store i32 1, i32* %.omp.stride, align 4, !dbg !17, !tbaa !18
  %3 = bitcast i32* %.omp.is_last to i8*, !dbg !16
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %3) #3, !dbg !16
  store i32 0, i32* %.omp.is_last, align 4, !dbg !17, !tbaa !18
  %4 = load i32, i32* %.global_tid., align 4, !dbg !16, !tbaa !18
  call void @__kmpc_for_static_init_4(%struct.ident_t* nonnull @1, i32 %4, i32 34, i32* nonnull %.omp.is_last, i32* nonnull %.omp.lb, i32* nonnull %.omp.ub, i32* nonnull %.omp.stride, i32 1, i32 1), !dbg !16
  %5 = load i32, i32* %.omp.ub, align 4, !dbg !17, !tbaa !18
  %6 = icmp slt i32 %5, 119, !dbg !17
  %cond = select i1 %6, i32 %5, i32 119, !dbg !17
  store i32 %cond, i32* %.omp.ub, align 4, !dbg !17, !tbaa !18
  %7 = load i32, i32* %.omp.lb, align 4, !dbg !17, !tbaa !18
  %cmp1.not74 = icmp sgt i32 %7, %cond, !dbg !22
  br i1 %cmp1.not74, label %omp.loop.exit, label %omp.inner.for.body.preheader, !dbg !16

omp.inner.for.body.preheader:                     ; preds = %entry
  %8 = sext i32 %7 to i64, !dbg !16
  %9 = add nsw i32 %cond, 1, !dbg !16
  br label %omp.inner.for.body, !dbg !16

omp.inner.for.body:                               ; preds = %omp.inner.for.body.preheader, %omp.inner.for.body
  %indvars.iv = phi i64 [ %8, %omp.inner.for.body.preheader ], [ %indvars.iv.next, %omp.inner.for.body ]
  %arrayidx = getelementptr inbounds [120 x double], [120 x double]* @a, i64 0, i64 %indvars.iv, !dbg !23
  store double 1.000000e+00, double* %arrayidx, align 8, !dbg !24, !tbaa !25
  %indvars.iv.next = add nsw i64 %indvars.iv, 1, !dbg !22
  %lftr.wideiv = trunc i64 %indvars.iv.next to i32, !dbg !22
  %exitcond.not = icmp eq i32 %9, %lftr.wideiv, !dbg !22
  br i1 %exitcond.not, label %omp.loop.exit, label %omp.inner.for.body, !dbg !16, !llvm.loop !27

omp.loop.exit:                                    ; preds = %omp.inner.for.body, %entry
  call void @__kmpc_for_static_fini(%struct.ident_t* nonnull @3, i32 %4), !dbg !28
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %3) #3, !dbg !16
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %2) #3, !dbg !16
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %1) #3, !dbg !16
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %0) #3, !dbg !16
  call void @__kmpc_barrier(%struct.ident_t* nonnull @4, i32 %4), !dbg !28
  %10 = bitcast i32* %.omp.lb5 to i8*, !dbg !29
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %10) #3, !dbg !29
  store i32 0, i32* %.omp.lb5, align 4, !dbg !30, !tbaa !18
  %11 = bitcast i32* %.omp.ub6 to i8*, !dbg !29
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %11) #3, !dbg !29
  store i32 48, i32* %.omp.ub6, align 4, !dbg !30, !tbaa !18
  %12 = bitcast i32* %.omp.stride7 to i8*, !dbg !29
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %12) #3, !dbg !29
  store i32 1, i32* %.omp.stride7, align 4, !dbg !30, !tbaa !18
  %13 = bitcast i32* %.omp.is_last8 to i8*, !dbg !29
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %13) #3, !dbg !29
  store i32 0, i32* %.omp.is_last8, align 4, !dbg !30, !tbaa !18
  call void @__kmpc_for_static_init_4(%struct.ident_t* nonnull @6, i32 %4, i32 33, i32* nonnull %.omp.is_last8, i32* nonnull %.omp.lb5, i32* nonnull %.omp.ub6, i32* nonnull %.omp.stride7, i32 1, i32 4), !dbg !29
  %.omp.ub6.promoted = load i32, i32* %.omp.ub6, align 4, !tbaa !18
  %.omp.lb5.promoted = load i32, i32* %.omp.lb5, align 4, !tbaa !18
  %14 = icmp slt i32 %.omp.ub6.promoted, 48, !dbg !30
  %cond1480 = select i1 %14, i32 %.omp.ub6.promoted, i32 48, !dbg !30
  %cmp15.not81 = icmp sgt i32 %.omp.lb5.promoted, %cond1480, !dbg !31
  br i1 %cmp15.not81, label %omp.dispatch.end, label %omp.inner.for.cond16.preheader.lr.ph, !dbg !29

omp.inner.for.cond16.preheader.lr.ph:             ; preds = %omp.loop.exit
  %15 = load i32, i32* %.omp.stride7, align 4, !tbaa !18
  %16 = sext i32 %.omp.lb5.promoted to i64, !dbg !29
  %17 = sext i32 %15 to i64, !dbg !29
  br label %omp.inner.for.cond16.preheader, !dbg !29

omp.inner.for.cond16.preheader:                   ; preds = %omp.inner.for.cond16.preheader.lr.ph, %omp.dispatch.inc
  %indvars.iv90 = phi i64 [ %16, %omp.inner.for.cond16.preheader.lr.ph ], [ %indvars.iv.next91, %omp.dispatch.inc ]
  %cond1483 = phi i32 [ %cond1480, %omp.inner.for.cond16.preheader.lr.ph ], [ %cond14, %omp.dispatch.inc ]
  %indvars96 = trunc i64 %indvars.iv90 to i32
  %cmp17.not76 = icmp slt i32 %cond1483, %indvars96, !dbg !31
  br i1 %cmp17.not76, label %omp.dispatch.inc, label %omp.inner.for.body19.preheader, !dbg !29

omp.inner.for.body19.preheader:                   ; preds = %omp.inner.for.cond16.preheader
  %18 = sext i32 %cond1483 to i64, !dbg !29
  br label %omp.inner.for.body19, !dbg !29

omp.inner.for.body19:                             ; preds = %omp.inner.for.body19.preheader, %omp.inner.for.body19
  %indvars.iv92 = phi i64 [ %indvars.iv90, %omp.inner.for.body19.preheader ], [ %indvars.iv.next93, %omp.inner.for.body19 ]
  %indvars95 = trunc i64 %indvars.iv92 to i32
  %mul20 = shl nsw i32 %indvars95, 1, !dbg !32
  %add21 = add nsw i32 %mul20, 2, !dbg !32
  %idxprom22 = sext i32 %add21 to i64, !dbg !33
  %arrayidx23 = getelementptr inbounds [120 x double], [120 x double]* @a, i64 0, i64 %idxprom22, !dbg !33
  %19 = load double, double* %arrayidx23, align 16, !dbg !33, !tbaa !25
  %arrayidx25 = getelementptr inbounds [120 x double], [120 x double]* @b, i64 0, i64 %idxprom22, !dbg !34
  store double %19, double* %arrayidx25, align 16, !dbg !35, !tbaa !25
  %indvars.iv.next93 = add i64 %indvars.iv92, 1, !dbg !31
  %cmp17.not.not = icmp slt i64 %indvars.iv92, %18, !dbg !31
  br i1 %cmp17.not.not, label %omp.inner.for.body19, label %omp.dispatch.inc, !dbg !29, !llvm.loop !36

omp.dispatch.inc:                                 ; preds = %omp.inner.for.body19, %omp.inner.for.cond16.preheader
  %indvars.iv.next91 = add i64 %indvars.iv90, %17, !dbg !29
  %indvars = trunc i64 %indvars.iv.next91 to i32, !dbg !31
  %add31 = add nsw i32 %15, %cond1483, !dbg !31
  %20 = icmp slt i32 %add31, 48, !dbg !30
  %cond14 = select i1 %20, i32 %add31, i32 48, !dbg !30
  %cmp15.not = icmp slt i32 %cond14, %indvars, !dbg !31
  br i1 %cmp15.not, label %omp.dispatch.cond.omp.dispatch.end_crit_edge, label %omp.inner.for.cond16.preheader, !dbg !29, !llvm.loop !38

omp.dispatch.cond.omp.dispatch.end_crit_edge:     ; preds = %omp.dispatch.inc
  %indvars.le = trunc i64 %indvars.iv.next91 to i32, !dbg !31
  store i32 %indvars.le, i32* %.omp.lb5, align 4, !dbg !31, !tbaa !18
  br label %omp.dispatch.end, !dbg !29

omp.dispatch.end:                                 ; preds = %omp.dispatch.cond.omp.dispatch.end_crit_edge, %omp.loop.exit
  %cond14.lcssa = phi i32 [ %cond14, %omp.dispatch.cond.omp.dispatch.end_crit_edge ], [ %cond1480, %omp.loop.exit ]
  store i32 %cond14.lcssa, i32* %.omp.ub6, align 4, !dbg !39, !tbaa !18
  call void @__kmpc_for_static_fini(%struct.ident_t* nonnull @8, i32 %4), !dbg !37
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %13) #3, !dbg !29
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %12) #3, !dbg !29
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %11) #3, !dbg !29
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %10) #3, !dbg !29
  call void @__kmpc_barrier(%struct.ident_t* nonnull @10, i32 %4), !dbg !40
  %21 = bitcast i32* %.omp.lb34 to i8*, !dbg !41
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %21) #3, !dbg !41
  store i32 0, i32* %.omp.lb34, align 4, !dbg !42, !tbaa !18
  %22 = bitcast i32* %.omp.ub35 to i8*, !dbg !41
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %22) #3, !dbg !41
  store i32 39, i32* %.omp.ub35, align 4, !dbg !42, !tbaa !18
  %23 = bitcast i32* %.omp.stride36 to i8*, !dbg !41
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %23) #3, !dbg !41
  store i32 1, i32* %.omp.stride36, align 4, !dbg !42, !tbaa !18
  %24 = bitcast i32* %.omp.is_last37 to i8*, !dbg !41
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %24) #3, !dbg !41
  store i32 0, i32* %.omp.is_last37, align 4, !dbg !42, !tbaa !18
  call void @__kmpc_dispatch_init_4(%struct.ident_t* nonnull @12, i32 %4, i32 1073741859, i32 0, i32 39, i32 1, i32 3), !dbg !41
  %25 = call i32 @__kmpc_dispatch_next_4(%struct.ident_t* nonnull @12, i32 %4, i32* nonnull %.omp.is_last37, i32* nonnull %.omp.lb34, i32* nonnull %.omp.ub35, i32* nonnull %.omp.stride36), !dbg !41
  %tobool.not87 = icmp eq i32 %25, 0, !dbg !41
  br i1 %tobool.not87, label %omp.dispatch.end58, label %omp.dispatch.body41, !dbg !41

omp.dispatch.cond39.loopexit:                     ; preds = %omp.inner.for.body45, %omp.dispatch.body41
  %26 = call i32 @__kmpc_dispatch_next_4(%struct.ident_t* nonnull @12, i32 %4, i32* nonnull %.omp.is_last37, i32* nonnull %.omp.lb34, i32* nonnull %.omp.ub35, i32* nonnull %.omp.stride36), !dbg !41
  %tobool.not = icmp eq i32 %26, 0, !dbg !41
  br i1 %tobool.not, label %omp.dispatch.end58, label %omp.dispatch.body41, !dbg !41, !llvm.loop !43

omp.dispatch.body41:                              ; preds = %omp.dispatch.end, %omp.dispatch.cond39.loopexit
  %27 = load i32, i32* %.omp.lb34, align 4, !dbg !42, !tbaa !18
  %28 = load i32, i32* %.omp.ub35, align 4, !tbaa !18, !llvm.access.group !45
  %cmp43.not85 = icmp sgt i32 %27, %28, !dbg !46
  br i1 %cmp43.not85, label %omp.dispatch.cond39.loopexit, label %omp.inner.for.body45.preheader, !dbg !41

omp.inner.for.body45.preheader:                   ; preds = %omp.dispatch.body41
  %29 = sext i32 %27 to i64, !dbg !41
  %30 = add i32 %28, 1, !dbg !41
  br label %omp.inner.for.body45, !dbg !41

omp.inner.for.body45:                             ; preds = %omp.inner.for.body45.preheader, %omp.inner.for.body45
  %indvars.iv97 = phi i64 [ %29, %omp.inner.for.body45.preheader ], [ %indvars.iv.next98, %omp.inner.for.body45 ]
  %arrayidx49 = getelementptr inbounds [120 x double], [120 x double]* @b, i64 0, i64 %indvars.iv97, !dbg !47
  %31 = load double, double* %arrayidx49, align 8, !dbg !47, !tbaa !25, !llvm.access.group !45
  %32 = mul nsw i64 %indvars.iv97, 3, !dbg !48
  %arrayidx52 = getelementptr inbounds [120 x double], [120 x double]* @a, i64 0, i64 %32, !dbg !49
  store double %31, double* %arrayidx52, align 8, !dbg !50, !tbaa !25, !llvm.access.group !45
  %indvars.iv.next98 = add nsw i64 %indvars.iv97, 1, !dbg !46
  %lftr.wideiv102 = trunc i64 %indvars.iv.next98 to i32, !dbg !46
  %exitcond103.not = icmp eq i32 %30, %lftr.wideiv102, !dbg !46
  br i1 %exitcond103.not, label %omp.dispatch.cond39.loopexit, label %omp.inner.for.body45, !dbg !41, !llvm.loop !51

omp.dispatch.end58:                               ; preds = %omp.dispatch.cond39.loopexit, %omp.dispatch.end
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %24) #3, !dbg !41
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %23) #3, !dbg !41
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %22) #3, !dbg !41
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %21) #3, !dbg !41
  call void @__kmpc_barrier(%struct.ident_t* nonnull @13, i32 %4), !dbg !44
  %33 = call i32 @__kmpc_single(%struct.ident_t* nonnull @15, i32 %4), !dbg !53
  %.not = icmp eq i32 %33, 0, !dbg !53
  br i1 %.not, label %omp_if.end, label %omp_if.then, !dbg !53

omp_if.then:                                      ; preds = %omp.dispatch.end58
  store double 2.000000e+00, double* getelementptr inbounds ([120 x double], [120 x double]* @a, i64 0, i64 0), align 16, !dbg !54, !tbaa !25
  call void @__kmpc_end_single(%struct.ident_t* nonnull @15, i32 %4), !dbg !55
  br label %omp_if.end, !dbg !55

omp_if.end:                                       ; preds = %omp_if.then, %omp.dispatch.end58
  call void @__kmpc_barrier(%struct.ident_t* nonnull @16, i32 %4), !dbg !56
  call void @__kmpc_critical(%struct.ident_t* nonnull @18, i32 %4, [8 x i32]* nonnull @.gomp_critical_user_.var), !dbg !57
  store double 3.000000e+00, double* getelementptr inbounds ([120 x double], [120 x double]* @b, i64 0, i64 1), align 8, !dbg !58, !tbaa !25
  call void @__kmpc_end_critical(%struct.ident_t* nonnull @18, i32 %4, [8 x i32]* nonnull @.gomp_critical_user_.var), !dbg !59
  ret void, !dbg !60
}

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: nounwind
declare void @__kmpc_for_static_init_4(%struct.ident_t*, i32, i32, i32*, i32*, i32*, i32*, i32, i32) local_unnamed_addr #3

; Function Attrs: nounwind
declare void @__kmpc_for_static_fini(%struct.ident_t*, i32) local_unnamed_addr #3

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: convergent nounwind
declare void @__kmpc_barrier(%struct.ident_t*, i32) local_unnamed_addr #4

; Function Attrs: nounwind
declare void @__kmpc_dispatch_init_4(%struct.ident_t*, i32, i32, i32, i32, i32, i32) local_unnamed_addr #3

; Function Attrs: nounwind
declare i32 @__kmpc_dispatch_next_4(%struct.ident_t*, i32, i32*, i32*, i32*, i32*) local_unnamed_addr #3

; Function Attrs: convergent nounwind
declare i32 @__kmpc_single(%struct.ident_t*, i32) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare void @__kmpc_end_single(%struct.ident_t*, i32) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare void @__kmpc_critical(%struct.ident_t*, i32, [8 x i32]*) local_unnamed_addr #4

; Function Attrs: convergent nounwind
declare void @__kmpc_end_critical(%struct.ident_t*, i32, [8 x i32]*) local_unnamed_addr #4

; Function Attrs: nounwind
declare !callback !61 void @__kmpc_fork_call(%struct.ident_t*, i32, void (i32*, i32*, ...)*, ...) local_unnamed_addr #3

; Function Attrs: nounwind uwtable
define dso_local void @triangle(i32 noundef %n) local_unnamed_addr #0 !dbg !63 {
entry:
  %n.addr = alloca i32, align 4
  store i32 %n, i32* %n.addr, align 4, !tbaa !18
  call void (%struct.ident_t*, i32, void (i32*, i32*, ...)*, ...) @__kmpc_fork_call(%struct.ident_t* nonnull @22, i32 1, void (i32*, i32*, ...)* bitcast (void (i32*, i32*, i32*)* @.omp_outlined..1 to void (i32*, i32*, ...)*), i32* nonnull %n.addr), !dbg !64
  ret void, !dbg !65
}

; Function Attrs: alwaysinline norecurse nounwind uwtable
define internal void @.omp_outlined..1(i32* noalias nocapture noundef readonly %.global_tid., i32* noalias nocapture noundef readnone %.bound_tid., i32* nocapture noundef nonnull readonly align 4 dereferenceable(4) %n) #1 !dbg !66 {
entry:
  %.omp.lb = alloca i32, align 4
  %.omp.ub = alloca i32, align 4
  %.omp.stride = alloca i32, align 4
  %.omp.is_last = alloca i32, align 4
  %0 = load i32, i32* %n, align 4, !dbg !67, !tbaa !18
  %sub2 = add nsw i32 %0, -1, !dbg !68
  %cmp = icmp sgt i32 %0, 0, !dbg !68
  br i1 %cmp, label %omp.precond.then, label %omp.precond.end, !dbg !69

omp.precond.then:                                 ; preds = %entry
  %1 = bitcast i32* %.omp.lb to i8*, !dbg !69
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %1) #3, !dbg !69
  store i32 0, i32* %.omp.lb, align 4, !dbg !70, !tbaa !18
  %2 = bitcast i32* %.omp.ub to i8*, !dbg !69
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %2) #3, !dbg !69
  store i32 %sub2, i32* %.omp.ub, align 4, !dbg !70, !tbaa !18
  %3 = bitcast i32* %.omp.stride to i8*, !dbg !69
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %3) #3, !dbg !69
  store i32 1, i32* %.omp.stride, align 4, !dbg !70, !tbaa !18
  %4 = bitcast i32* %.omp.is_last to i8*, !dbg !69
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %4) #3, !dbg !69
  store i32 0, i32* %.omp.is_last, align 4, !dbg !70, !tbaa !18
  %5 = load i32, i32* %.global_tid., align 4, !dbg !69, !tbaa !18
  call void @__kmpc_dispatch_init_4(%struct.ident_t* nonnull @22, i32 %5, i32 1073741860, i32 0, i32 %sub2, i32 1, i32 1), !dbg !69
  %6 = call i32 @__kmpc_dispatch_next_4(%struct.ident_t* nonnull @22, i32 %5, i32* nonnull %.omp.is_last, i32* nonnull %.omp.lb, i32* nonnull %.omp.ub, i32* nonnull %.omp.stride), !dbg !69
  %tobool.not27 = icmp eq i32 %6, 0, !dbg !69
  br i1 %tobool.not27, label %omp.dispatch.end, label %omp.dispatch.body, !dbg !69

omp.dispatch.cond.loopexit:                       ; preds = %for.cond.cleanup, %omp.dispatch.body
  %7 = call i32 @__kmpc_dispatch_next_4(%struct.ident_t* nonnull @22, i32 %5, i32* nonnull %.omp.is_last, i32* nonnull %.omp.lb, i32* nonnull %.omp.ub, i32* nonnull %.omp.stride), !dbg !69
  %tobool.not = icmp eq i32 %7, 0, !dbg !69
  br i1 %tobool.not, label %omp.dispatch.end, label %omp.dispatch.body, !dbg !69, !llvm.loop !71

omp.dispatch.body:                                ; preds = %omp.precond.then, %omp.dispatch.cond.loopexit
  %8 = load i32, i32* %.omp.lb, align 4, !dbg !70, !tbaa !18
  %9 = load i32, i32* %.omp.ub, align 4, !tbaa !18, !llvm.access.group !73
  %cmp4.not25 = icmp sgt i32 %8, %9, !dbg !68
  br i1 %cmp4.not25, label %omp.dispatch.cond.loopexit, label %for.cond.preheader.preheader, !dbg !69

for.cond.preheader.preheader:                     ; preds = %omp.dispatch.body
  %10 = sext i32 %8 to i64, !dbg !69
  %11 = add i32 %9, 1, !dbg !69
  br label %for.cond.preheader, !dbg !69

for.cond.preheader:                               ; preds = %for.cond.preheader.preheader, %for.cond.cleanup
  %indvars.iv31 = phi i64 [ %10, %for.cond.preheader.preheader ], [ %indvars.iv.next32, %for.cond.cleanup ]
  %indvars.iv29.in = phi i32 [ %8, %for.cond.preheader.preheader ], [ %indvars.iv29, %for.cond.cleanup ]
  %indvars.iv29 = add i32 %indvars.iv29.in, 1, !dbg !69
  %cmp5.not23 = icmp slt i64 %indvars.iv31, 0, !dbg !74
  br i1 %cmp5.not23, label %for.cond.cleanup, label %for.body.lr.ph, !dbg !75

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %arrayidx = getelementptr inbounds [120 x double], [120 x double]* @b, i64 0, i64 %indvars.iv31
  %12 = load double, double* %arrayidx, align 8, !tbaa !25, !llvm.access.group !73
  %wide.trip.count = zext i32 %indvars.iv29 to i64, !dbg !74
  br label %for.body, !dbg !75

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %indvars.iv.next32 = add nsw i64 %indvars.iv31, 1, !dbg !68
  %lftr.wideiv = trunc i64 %indvars.iv.next32 to i32, !dbg !68
  %exitcond34.not = icmp eq i32 %11, %lftr.wideiv, !dbg !68
  br i1 %exitcond34.not, label %omp.dispatch.cond.loopexit, label %for.cond.preheader, !dbg !69, !llvm.loop !76

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx7 = getelementptr inbounds [120 x double], [120 x double]* @a, i64 0, i64 %indvars.iv, !dbg !78
  store double %12, double* %arrayidx7, align 8, !dbg !79, !tbaa !25, !llvm.access.group !73
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1, !dbg !80
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count, !dbg !74
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !dbg !75, !llvm.loop !81

omp.dispatch.end:                                 ; preds = %omp.dispatch.cond.loopexit, %omp.precond.then
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %4) #3, !dbg !69
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %3) #3, !dbg !69
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %2) #3, !dbg !69
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %1) #3, !dbg !69
  br label %omp.precond.end, !dbg !69

omp.precond.end:                                  ; preds = %omp.dispatch.end, %entry
  ret void, !dbg !82
}

attributes #0 = { nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { alwaysinline norecurse nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { argmemonly mustprogress nofree nosync nounwind willreturn }
attributes #3 = { nounwind }
attributes #4 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}
!llvm.ident = !{!9}
!nvvm.annotations = !{}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "team.c", directory: "/src", checksumkind: CSK_MD5, checksum: "d55069db13932a0b676ad0a36ce44699")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"openmp", i32 50}
!6 = !{i32 7, !"PIC Level", i32 2}
!7 = !{i32 7, !"PIE Level", i32 2}
!8 = !{i32 7, !"uwtable", i32 1}
!9 = !{!"Debian clang version 14.0.6"}
!10 = distinct !DISubprogram(name: "deal", scope: !1, file: !1, line: 4, type: !11, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!11 = !DISubroutineType(types: !12)
!12 = !{}
!13 = !DILocation(line: 5, column: 1, scope: !10)
!14 = !DILocation(line: 22, column: 1, scope: !10)
!15 = distinct !DISubprogram(name: ".omp_outlined.", scope: !1, file: !1, line: 5, type: !11, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!16 = !DILocation(line: 7, column: 1, scope: !15)
!17 = !DILocation(line: 8, column: 10, scope: !15)
!18 = !{!19, !19, i64 0}
!19 = !{!"int", !20, i64 0}
!20 = !{!"omnipotent char", !21, i64 0}
!21 = !{!"Simple C/C++ TBAA"}
!22 = !DILocation(line: 8, column: 5, scope: !15)
!23 = !DILocation(line: 9, column: 7, scope: !15)
!24 = !DILocation(line: 9, column: 12, scope: !15)
!25 = !{!26, !26, i64 0}
!26 = !{!"double", !20, i64 0}
!27 = distinct !{!27, !16, !28}
!28 = !DILocation(line: 7, column: 33, scope: !15)
!29 = !DILocation(line: 10, column: 1, scope: !15)
!30 = !DILocation(line: 11, column: 10, scope: !15)
!31 = !DILocation(line: 11, column: 5, scope: !15)
!32 = !DILocation(line: 11, column: 30, scope: !15)
!33 = !DILocation(line: 12, column: 14, scope: !15)
!34 = !DILocation(line: 12, column: 7, scope: !15)
!35 = !DILocation(line: 12, column: 12, scope: !15)
!36 = distinct !{!36, !29, !37}
!37 = !DILocation(line: 10, column: 43, scope: !15)
!38 = distinct !{!38, !29, !37}
!39 = !DILocation(line: 0, scope: !15)
!40 = !DILocation(line: 13, column: 1, scope: !15)
!41 = !DILocation(line: 14, column: 1, scope: !15)
!42 = !DILocation(line: 15, column: 10, scope: !15)
!43 = distinct !{!43, !41, !44}
!44 = !DILocation(line: 14, column: 37, scope: !15)
!45 = distinct !{}
!46 = !DILocation(line: 15, column: 5, scope: !15)
!47 = !DILocation(line: 16, column: 18, scope: !15)
!48 = !DILocation(line: 16, column: 11, scope: !15)
!49 = !DILocation(line: 16, column: 7, scope: !15)
!50 = !DILocation(line: 16, column: 16, scope: !15)
!51 = distinct !{!51, !41, !44, !52}
!52 = !{!"llvm.loop.parallel_accesses", !45}
!53 = !DILocation(line: 17, column: 1, scope: !15)
!54 = !DILocation(line: 18, column: 10, scope: !15)
!55 = !DILocation(line: 18, column: 5, scope: !15)
!56 = !DILocation(line: 17, column: 19, scope: !15)
!57 = !DILocation(line: 19, column: 1, scope: !15)
!58 = !DILocation(line: 20, column: 10, scope: !15)
!59 = !DILocation(line: 20, column: 5, scope: !15)
!60 = !DILocation(line: 21, column: 3, scope: !15)
!61 = !{!62}
!62 = !{i64 2, i64 -1, i64 -1, i1 true}
!63 = distinct !DISubprogram(name: "triangle", scope: !1, file: !1, line: 24, type: !11, scopeLine: 24, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!64 = !DILocation(line: 25, column: 1, scope: !63)
!65 = !DILocation(line: 29, column: 1, scope: !63)
!66 = distinct !DISubprogram(name: ".omp_outlined..1", scope: !1, file: !1, line: 25, type: !11, scopeLine: 25, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!67 = !DILocation(line: 26, column: 23, scope: !66)
!68 = !DILocation(line: 26, column: 3, scope: !66)
!69 = !DILocation(line: 25, column: 1, scope: !66)
!70 = !DILocation(line: 26, column: 8, scope: !66)
!71 = distinct !{!71, !69, !72}
!72 = !DILocation(line: 25, column: 42, scope: !66)
!73 = distinct !{}
!74 = !DILocation(line: 27, column: 23, scope: !66)
!75 = !DILocation(line: 27, column: 5, scope: !66)
!76 = distinct !{!76, !69, !72, !77}
!77 = !{!"llvm.loop.parallel_accesses", !73}
!78 = !DILocation(line: 28, column: 7, scope: !66)
!79 = !DILocation(line: 28, column: 12, scope: !66)
!80 = !DILocation(line: 27, column: 30, scope: !66)
!81 = distinct !{!81, !75, !82, !83, !84}
!82 = !DILocation(line: 28, column: 17, scope: !66)
!83 = !{!"llvm.loop.mustprogress"}
!84 = !{!"llvm.loop.unroll.disable"}
